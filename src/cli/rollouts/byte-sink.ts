const NEWLINE = 0x0a;

/** Lines of text as UTF-8: how long they are is known at once, the bytes are made in one go at the end. */
export class ByteSink {
  readonly #lines: string[] = [];
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends a text without line breaks, and a newline. */
  writeLine(text: string): void {
    this.#lines.push(text);
    this.#length += Buffer.byteLength(text) + 1;
  }

  /** All that was written, in memory of its own. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const bytes = Buffer.from(new ArrayBuffer(this.#length));
    let at = 0;
    for (const line of this.#lines) {
      at += bytes.write(line, at);
      bytes[at] = NEWLINE;
      at += 1;
    }
    return new Uint8Array(bytes.buffer);
  }
}
