/** Text as UTF-8: how long it is is known at once, its bytes are made in one go at the end. */
export class ByteSink {
  readonly #texts: string[] = [];
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  write(text: string): void {
    this.#texts.push(text);
    this.#length += Buffer.byteLength(text);
  }

  /** All that was written, in memory of its own. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const bytes = Buffer.from(new ArrayBuffer(this.#length));
    let at = 0;
    for (const text of this.#texts) at += bytes.write(text, at);
    return new Uint8Array(bytes.buffer);
  }
}
