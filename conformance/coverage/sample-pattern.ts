import { MAX_DERIVED_LENGTH } from "./max-derived-length.js";

/**
 * A short text that the ECMAScript pattern `source` (flag `u`) matches; undefined when none was found.
 *
 * Reads literals, escapes, classes, groups, alternatives (the first one) and quantifiers (the fewest
 * repetitions). What else a pattern holds, such as a look-ahead, it does not understand. The caller
 * tries the text out, within a time limit.
 */
export function samplePattern(source: string): string | undefined {
  try {
    return new PatternSampler(source).sample();
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class NotUnderstood extends Error {}

const ESCAPES: Readonly<Record<string, string>> = {
  d: "0",
  w: "a",
  s: " ",
  n: "\n",
  t: "\t",
  r: "\r",
  D: "a",
  W: " ",
  S: "a",
};

/** Characters that are tried for a class that says only what it does not contain. */
const PLAIN = ["a", "0", "-", " ", "A", "é"];

class PatternSampler {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#characters = [...source];
  }

  sample(): string {
    const text = this.#alternatives();
    if (this.#at < this.#characters.length) throw new NotUnderstood();
    return text;
  }

  #alternatives(): string {
    const first = this.#sequence();
    while (this.#take("|")) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#characters.length && !["|", ")"].includes(this.#peek())) {
      const atom = this.#atom();
      const repetitions = this.#repetitions();
      if (text.length + atom.length * repetitions > MAX_DERIVED_LENGTH) throw new NotUnderstood();
      text += atom.repeat(repetitions);
    }
    return text;
  }

  #atom(): string {
    const character = this.#next();
    if (character === "^" || character === "$") return "";
    if (character === ".") return "a";
    if (character === "[") return this.#class();
    if (character === "(") return this.#group();
    if (character === "\\") return this.#escape();
    return character;
  }

  #group(): string {
    if (this.#take("?")) {
      if (this.#take("<")) while (this.#next() !== ">");
      else if (!this.#take(":")) throw new NotUnderstood();
    }
    const text = this.#alternatives();
    if (!this.#take(")")) throw new NotUnderstood();
    return text;
  }

  #class(): string {
    const start = this.#at - 1;
    const negated = this.#take("^");
    let first: string | undefined;
    while (!this.#take("]")) {
      const character = this.#next();
      const member = character === "\\" ? this.#escape() : character;
      first ??= member;
    }
    if (!negated) return first ?? fail();
    const source = this.#characters.slice(start, this.#at).join("");
    return PLAIN.find((plain) => new RegExp(source, "u").test(plain)) ?? fail();
  }

  #escape(): string {
    const character = this.#next();
    if (/[1-9bBpPkuxc]/.test(character)) throw new NotUnderstood();
    return ESCAPES[character] ?? character;
  }

  #repetitions(): number {
    let least = 1;
    if (this.#take("?") || this.#take("*")) least = 0;
    else if (this.#take("{")) {
      let digits = "";
      for (let next = this.#next(); next !== "}"; next = this.#next()) digits += next;
      least = Number.parseInt(digits, 10);
    } else if (!this.#take("+")) return 1;
    this.#take("?");
    return least;
  }

  #peek(): string {
    return this.#characters[this.#at] ?? fail();
  }

  #next(): string {
    const character = this.#peek();
    this.#at += 1;
    return character;
  }

  #take(character: string): boolean {
    if (this.#characters[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

function fail(): never {
  throw new NotUnderstood();
}
