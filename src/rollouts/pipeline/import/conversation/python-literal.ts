import { MAX_NESTING } from "../../../../base/json/unexportable.js";

/** Escapes of a Python string that stand for one other character. */
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "\n": "",
};

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
]);

const CODE_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/iy;
const WORD = /[A-Za-z]+/y;

/** What Python's `repr` of a dict shows: dicts, lists, tuples, strings, numbers, True, False and None. */
export function parsePythonLiteral(text: string): unknown {
  const reader = new LiteralReader(text);
  try {
    return reader.readAll();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws SyntaxError if the text is anything else. */
  readAll(): unknown {
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw new SyntaxError("text after the value");
    return value;
  }

  #value(depth: number): unknown {
    if (depth > MAX_NESTING) throw new SyntaxError("nested too deeply");
    this.#skip();
    const first = this.#text[this.#at] ?? "";
    if (first === "{") return this.#dict(depth);
    if (first === "[") return this.#items("]", depth);
    if (first === "(") return this.#items(")", depth);
    if (first === "'" || first === '"') return this.#string(first);
    return this.#atom();
  }

  #dict(depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    this.#at += 1;
    while (!this.#take("}")) {
      const key = this.#value(depth + 1);
      if (typeof key !== "string" || entries.has(key) || !this.#take(":")) {
        throw new SyntaxError("a dict has text keys, each once");
      }
      entries.set(key, this.#value(depth + 1));
      this.#separate("}");
    }
    return Object.fromEntries(entries);
  }

  #items(end: string, depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at += 1;
    while (!this.#take(end)) {
      items.push(this.#value(depth + 1));
      this.#separate(end);
    }
    return items;
  }

  #string(quote: string): string {
    let value = "";
    for (this.#at += 1; this.#text[this.#at] !== quote; this.#at += 1) {
      const character = this.#text[this.#at];
      if (character === undefined || character === "\n") throw new SyntaxError("an open string");
      value += character === "\\" ? this.#escape() : character;
    }
    this.#at += 1;
    return value;
  }

  #escape(): string {
    this.#at += 1;
    const letter = this.#text[this.#at] ?? "";
    const length = CODE_LENGTHS[letter];
    if (length === undefined) return ESCAPES[letter] ?? this.#unknownEscape(letter);
    const digits = this.#text.slice(this.#at + 1, this.#at + 1 + length);
    const code = Number.parseInt(digits, 16);
    const isCode = /^[\da-f]+$/i.test(digits) && digits.length === length && code <= 0x10ffff;
    if (code >= 0xd800 && code <= 0xdfff) throw new SyntaxError("half a character");
    if (!isCode) throw new SyntaxError("no character has this code");
    this.#at += length;
    return String.fromCodePoint(code);
  }

  /** Python keeps the backslash of an escape that it does not know. */
  #unknownEscape(letter: string): string {
    if (letter === "" || /[\davN]/.test(letter)) throw new SyntaxError("an unusual escape");
    return `'"\\`.includes(letter) ? letter : `\\${letter}`;
  }

  #atom(): unknown {
    const word = this.#match(WORD);
    if (word !== undefined && CONSTANTS.has(word)) return CONSTANTS.get(word);
    const number = word === undefined ? Number(this.#match(NUMBER)) : Number.NaN;
    const isExact = Number.isSafeInteger(number) || !Number.isInteger(number);
    if (!Number.isFinite(number) || !isExact) throw new SyntaxError("no literal");
    return number;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #separate(end: string): void {
    if (this.#take(",")) return;
    this.#skip();
    if (this.#text[this.#at] !== end) throw new SyntaxError("a comma is missing");
  }

  #take(character: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skip(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }
}
