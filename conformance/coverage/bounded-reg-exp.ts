import { costOfMatch } from "../../src/contract/compat/solver/logic/match-cost.js";

/** Limit on the steps of one pattern and one text. A harmless pattern takes a few for each character. */
const MAX_STEPS = 1_000_000;

/** A pattern exceeded the limit. */
export class SlowPattern extends Error {
  readonly pattern: string;

  constructor(pattern: string) {
    super(`takes more than ${MAX_STEPS} steps for one text: it backtracks without end`);
    this.pattern = pattern;
  }
}

/**
 * `pattern.test(text)` for untrusted patterns: refuses catastrophic backtracking. Steps are counted before the match, so
 * that the speed of the machine does not matter. Results are cached, because every mutant tests the same texts again.
 *
 * `test` throws SlowPattern if the pattern exceeds the limit.
 */
export class BoundedRegExp {
  readonly #pattern: string;
  readonly #expression: RegExp;
  readonly #answers = new Map<string, boolean>();

  constructor(pattern: string, flags: string) {
    this.#pattern = pattern;
    this.#expression = new RegExp(pattern, flags);
  }

  test(text: string): boolean {
    const known = this.#answers.get(text);
    if (known !== undefined) return known;
    if (costOfMatch(this.#pattern, text, MAX_STEPS) === undefined) {
      throw new SlowPattern(this.#pattern);
    }
    const answer = this.#expression.test(text);
    this.#answers.set(text, answer);
    return answer;
  }

  /** Ajv identifies patterns by this. */
  toString(): string {
    return String(this.#expression);
  }
}
