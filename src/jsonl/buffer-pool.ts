/** Large enough for a block of lines and for the records built from it. */
const BUFFER_BYTES = 2 ** 21;
/** Buffers that are kept. */
const MAX_BUFFERS = 32;

/** Buffers that are reused across threads: allocating and collecting new ones takes longer than filling them. */
export class BufferPool {
  readonly #spare: ArrayBuffer[] = [];

  /** A buffer of at least `bytes`, with arbitrary contents. */
  readonly take = (bytes: number = BUFFER_BYTES): ArrayBuffer => {
    const spare = bytes <= BUFFER_BYTES ? this.#spare.pop() : undefined;
    return spare ?? new ArrayBuffer(Math.max(bytes, BUFFER_BYTES));
  };

  /** Takes buffers back that are no longer read; those of another size are dropped. */
  giveBack(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers) {
      if (buffer.byteLength !== BUFFER_BYTES || this.#spare.length >= MAX_BUFFERS) continue;
      this.#spare.push(buffer);
    }
  }
}

/** A result whose memory is transferred to another thread instead of copied. */
export interface TransferableResult {
  /** Its memory, each buffer once; the receiver may reuse it when done. */
  readonly buffers: readonly ArrayBuffer[];
}
