const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const SPACE = 0x20;
const NULL = 0x6e;

/**
 * Reads valid JSON in UTF-8 from its start to its end. What the caller does not look into is skipped, not parsed: its
 * text is a view of the same memory. Methods that expect a kind of value throw TypeError for another.
 */
export class JsonCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Takes a `null`. Returns false, and takes nothing, if the next value is another. */
  takeNull(): boolean {
    if (this.#peek() !== NULL) return false;
    this.#at += 4;
    return true;
  }

  /** Takes the text of the next value. */
  takeText(): Buffer {
    const first = this.#peek();
    const start = this.#at;
    if (first === QUOTE) this.#skipString();
    else if (first === OPEN_OBJECT || first === OPEN_ARRAY) this.#skipContainer();
    else this.#skipScalar();
    return this.#bytes.subarray(start, this.#at);
  }

  /** Takes a string. Returns the characters that it stands for, in UTF-8. */
  takeString(): Buffer {
    if (this.#peek() !== QUOTE) throw this.#unexpected("a string");
    const text = this.takeText();
    if (!text.includes(BACKSLASH)) return text.subarray(1, -1);
    const value: unknown = JSON.parse(text.toString());
    return Buffer.from(String(value));
  }

  /** Takes an object: yields its keys. Take the value of each before the next. */
  *members(): Generator<string> {
    for (const _ of this.#items(OPEN_OBJECT, CLOSE_OBJECT, "an object")) {
      const key = this.takeString().toString();
      if (this.#peek() !== COLON) throw this.#unexpected("a colon");
      this.#at += 1;
      yield key;
    }
  }

  /** Takes an array: yields once for each value. Take it before the next. */
  elements(): Generator<void> {
    return this.#items(OPEN_ARRAY, CLOSE_ARRAY, "an array");
  }

  *#items(open: number, close: number, what: string): Generator<void> {
    if (this.#peek() !== open) throw this.#unexpected(what);
    this.#at += 1;
    while (this.#peek() !== close) {
      yield;
      if (this.#peek() === COMMA) this.#at += 1;
    }
    this.#at += 1;
  }

  /** The next byte that is no space; undefined at the end. */
  #peek(): number | undefined {
    while ((this.#bytes[this.#at] ?? Infinity) <= SPACE) this.#at += 1;
    return this.#bytes[this.#at];
  }

  #skipString(): void {
    let quote = this.#bytes.indexOf(QUOTE, this.#at + 1);
    while (quote >= 0 && this.#isEscaped(quote)) quote = this.#bytes.indexOf(QUOTE, quote + 1);
    if (quote < 0) throw this.#unexpected("the end of a string");
    this.#at = quote + 1;
  }

  #isEscaped(index: number): boolean {
    let start = index;
    while (this.#bytes[start - 1] === BACKSLASH) start -= 1;
    return (index - start) % 2 === 1;
  }

  #skipContainer(): void {
    for (let depth = 0; ; ) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw this.#unexpected("the end of an object or array");
      if (byte === QUOTE) {
        this.#skipString();
        continue;
      }
      this.#at += 1;
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (depth === 0) return;
    }
  }

  #skipScalar(): void {
    const start = this.#at;
    for (; ; this.#at += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || byte <= SPACE || ENDS.has(byte)) break;
    }
    if (this.#at === start) throw this.#unexpected("a value");
  }

  #unexpected(wanted: string): TypeError {
    const found = this.#bytes.toString("utf8", this.#at, this.#at + 20);
    return new TypeError(`expected ${wanted}, found ${JSON.stringify(found)}`);
  }
}

const ENDS: ReadonlySet<number> = new Set([COMMA, CLOSE_OBJECT, CLOSE_ARRAY]);
