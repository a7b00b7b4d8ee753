/** Lines of text as UTF-8: how long they are is known at once, the bytes are made in one go at the end. */
export class ByteSink {
  readonly #pieces: string[] = [];
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends a text without line breaks, given in pieces, and a newline. */
  writeLine(pieces: readonly string[]): void {
    for (const piece of pieces) this.#write(piece);
    this.#write("\n");
  }

  /** All that was written, in memory of its own. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const bytes = Buffer.from(new ArrayBuffer(this.#length));
    let at = 0;
    for (const piece of this.#pieces) at += bytes.write(piece, at);
    return new Uint8Array(bytes.buffer);
  }

  #write(piece: string): void {
    this.#pieces.push(piece);
    this.#length += Buffer.byteLength(piece);
  }
}
