/** Enough for a block of lines or for the records built from it. */
const BUFFER_BYTES = 2 ** 21;
/** Maximum number of pooled buffers. */
const MAX_BUFFERS = 32;

/** Reuses buffers across threads: allocating and collecting new ones takes longer than filling them. */
export class BufferPool {
  readonly #spare: ArrayBuffer[] = [];

  /** Returns a buffer of at least `bytes` bytes, with arbitrary contents. */
  readonly take = (bytes: number = BUFFER_BYTES): ArrayBuffer => {
    const spare = bytes <= BUFFER_BYTES ? this.#spare.pop() : undefined;
    return spare ?? new ArrayBuffer(Math.max(bytes, BUFFER_BYTES));
  };

  /** Returns buffers to the pool. The caller must not read them afterwards. Buffers of another size are dropped. */
  giveBack(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers) {
      if (buffer.byteLength !== BUFFER_BYTES || this.#spare.length >= MAX_BUFFERS) continue;
      this.#spare.push(buffer);
    }
  }
}

/** A result whose memory is transferred to another thread instead of copied. */
export interface TransferableResult {
  /** Its buffers, each listed once. The receiver may reuse them when done. */
  readonly buffers: readonly ArrayBuffer[];
}
