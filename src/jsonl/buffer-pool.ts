/** Size of what is kept: a block of lines, or what is made of it, with room to spare. */
const BUFFER_BYTES = 2 ** 21;
/** Pieces that are kept. */
const MAX_BUFFERS = 32;

/**
 * Memory that is used again, from one thread to the next: to get new memory of the system, and to let
 * V8 find out that it is not needed any more, takes longer than to fill it.
 */
export class BufferPool {
  readonly #spare: ArrayBuffer[] = [];

  /** At least so many bytes, with anything in them. */
  readonly take = (bytes: number = BUFFER_BYTES): ArrayBuffer => {
    const spare = bytes <= BUFFER_BYTES ? this.#spare.pop() : undefined;
    return spare ?? new ArrayBuffer(Math.max(bytes, BUFFER_BYTES));
  };

  /** Takes back what nobody reads any more; what is larger or smaller than usual is let go. */
  giveBack(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers) {
      if (buffer.byteLength !== BUFFER_BYTES || this.#spare.length >= MAX_BUFFERS) continue;
      this.#spare.push(buffer);
    }
  }
}

/** What goes from one thread to another with its memory, instead of being copied. */
export interface TransferableResult {
  /** That memory, each piece once; whoever is done with the rest of it may use it again. */
  readonly buffers: readonly ArrayBuffer[];
}
