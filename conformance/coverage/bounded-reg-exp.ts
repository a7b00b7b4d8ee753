import { type Context, createContext, Script } from "node:vm";
import { isJsonObject } from "../../src/json/value.js";

/** Time that one pattern may take for one text: a sound one takes microseconds, on a busy machine too. */
const LIMIT_MS = 2000;

/** A pattern that was stopped. */
export class SlowPattern extends Error {
  readonly pattern: string;

  constructor(pattern: string) {
    super(`takes more than ${LIMIT_MS} ms for one text: it backtracks without end`);
    this.pattern = pattern;
  }
}

const script = new Script("expression.test(text)");

/**
 * `pattern.test(text)` for patterns that nobody has vouched for: one that backtracks without end is
 * stopped. The answers are kept, for the same texts are checked again for every mutant.
 *
 * `test` throws SlowPattern when the pattern takes longer than that.
 */
export class BoundedRegExp {
  readonly #pattern: string;
  readonly #flags: string;
  readonly #scope: Context;
  readonly #answers = new Map<string, boolean>();

  constructor(pattern: string, flags: string) {
    this.#pattern = pattern;
    this.#flags = flags;
    this.#scope = createContext({ expression: new RegExp(pattern, flags) });
  }

  test(text: string): boolean {
    const known = this.#answers.get(text);
    if (known !== undefined) return known;
    this.#scope.text = text;
    const answer = this.#run() === true;
    this.#answers.set(text, answer);
    return answer;
  }

  /** Ajv tells patterns from each other by this. */
  toString(): string {
    return `/${this.#pattern}/${this.#flags}`;
  }

  #run(): unknown {
    try {
      return script.runInContext(this.#scope, { timeout: LIMIT_MS });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      throw new SlowPattern(this.#pattern);
    }
  }
}

/** Not by its class: the error is made by the engine, not by this module's realm. */
function isTimeout(error: unknown): boolean {
  return isJsonObject(error) && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
