const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The escapes of JSON, by their byte, as `JSON.stringify` writes them. */
const ESCAPES: ReadonlyMap<number, Uint8Array> = new Map(
  [...Array(SPACE).keys(), QUOTE, BACKSLASH].map((byte) => [
    byte,
    Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)),
  ]),
);

/** Lines of JSON as UTF-8. Text is copied from UTF-8, which is several times faster than through strings. */
export class LineWriter {
  readonly #start: number;
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;

  /** `start`: bytes that are expected. More are possible. */
  constructor(start: number) {
    this.#start = start;
    this.#bytes = Buffer.allocUnsafeSlow(start);
  }

  get length(): number {
    return this.#length;
  }

  /** Returns what was written, and begins anew. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafeSlow(this.#start);
    this.#length = 0;
    return taken;
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    for (const byte of bytes) this.#bytes[this.#length++] = byte;
  }

  /** Writes text without other characters than those of ASCII. */
  ascii(text: string): void {
    this.#reserve(text.length);
    for (let at = 0; at < text.length; at += 1) {
      this.#bytes[this.#length++] = text.charCodeAt(at);
    }
  }

  /** Writes JSON on one line: between its values, a line break is only space. */
  json(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    this.#bytes.set(source.subarray(start, end), this.#length);
    const written = this.#bytes.subarray(this.#length, this.#length + end - start);
    for (const lineBreak of [NEWLINE, RETURN]) {
      for (let at = written.indexOf(lineBreak); at >= 0; at = written.indexOf(lineBreak, at)) {
        written[at] = SPACE;
      }
    }
    this.#length += end - start;
  }

  /** Writes text as a string of JSON. */
  string(source: Uint8Array, start: number, end: number): void {
    this.byte(QUOTE);
    this.#reserve(end - start + 1);
    let bytes = this.#bytes;
    let length = this.#length;
    for (let at = start; at < end; at += 1) {
      const byte = source[at] ?? 0;
      if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) {
        bytes[length++] = byte;
        continue;
      }
      this.#length = length;
      this.bytes(ESCAPES.get(byte) ?? source.subarray(at, at + 1));
      this.#reserve(end - at);
      bytes = this.#bytes;
      length = this.#length;
    }
    bytes[length++] = QUOTE;
    this.#length = length;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
