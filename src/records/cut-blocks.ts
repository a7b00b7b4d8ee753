import { constants } from "node:buffer";

/** A piece of a byte stream that begins and ends where lines do. */
export interface LineBlock {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Where it begins in the stream, in bytes from 0. */
  readonly offset: number;
  /**
   * Whole lines with their newlines; only the stream's last line may lack one. Nothing else is in their
   * memory that anybody needs.
   * Undefined for one line that is longer than any string can be; its bytes were dropped.
   */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
}

const NEWLINE = 0x0a;

export interface CutOptions {
  /** Least size of a block, but for the last; with 0, the default, every chunk in which a line ends ends one. */
  readonly minBytes?: number | undefined;
  /** A longer line loses its bytes; by default V8's longest string. */
  readonly maxLineBytes?: number | undefined;
  /** Gives memory of at least so many bytes; by default new one. */
  readonly takeMemory?: ((bytes: number) => ArrayBuffer) | undefined;
}

/**
 * Cuts a byte stream into blocks of whole lines. Only `\n` ends a line. Holds one block and the line under
 * way. Chunks are copied: they need not last until the next one.
 */
export async function* cutBlocks(
  chunks: AsyncIterable<Uint8Array>,
  { minBytes = 0, maxLineBytes = constants.MAX_STRING_LENGTH, takeMemory }: CutOptions = {},
): AsyncGenerator<LineBlock> {
  const pending = new PendingBytes(takeMemory);
  let line = 1;
  let offset = 0;
  let dropped = 0;

  const pass = (bytes: Uint8Array<ArrayBuffer>): LineBlock => {
    const block = { line, offset, bytes };
    line += countNewlines(bytes);
    offset += bytes.length;
    return block;
  };
  const passDropped = (): LineBlock => {
    const block = { line, offset, bytes: undefined };
    line += 1;
    offset += dropped;
    dropped = 0;
    return block;
  };

  for await (const chunk of chunks) {
    let rest = chunk;
    if (dropped > 0) {
      const end = chunk.indexOf(NEWLINE) + 1;
      dropped += end || chunk.length;
      if (end === 0) continue;
      yield passDropped();
      rest = chunk.subarray(end);
    }
    pending.append(rest);
    const lineIsTooLong = pending.lineLength > maxLineBytes;
    if (pending.wholeLength > 0 && (lineIsTooLong || pending.wholeLength >= minBytes)) {
      yield pass(pending.takeWholeLines());
    }
    if (lineIsTooLong) dropped = pending.drop();
  }
  if (dropped > 0) yield passDropped();
  else if (pending.length > 0) yield pass(pending.takeAll());
}

/** Bytes that wait until a block is full. */
class PendingBytes {
  readonly #takeMemory: (bytes: number) => ArrayBuffer;
  #memory = new Uint8Array(new ArrayBuffer(0));
  #length = 0;
  #wholeLength = 0;

  constructor(takeMemory = (bytes: number) => new ArrayBuffer(bytes)) {
    this.#takeMemory = takeMemory;
  }

  /** All bytes that wait. */
  get length(): number {
    return this.#length;
  }

  /** Those of lines that have ended. */
  get wholeLength(): number {
    return this.#wholeLength;
  }

  /** Those of the line under way. */
  get lineLength(): number {
    return this.#length - this.#wholeLength;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(this.#length + bytes.length);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) this.#wholeLength = this.#length + end;
    this.#memory.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  takeAll(): Uint8Array<ArrayBuffer> {
    const all = this.#memory.subarray(0, this.#length);
    this.drop();
    return all;
  }

  takeWholeLines(): Uint8Array<ArrayBuffer> {
    const whole = this.#memory.subarray(0, this.#wholeLength);
    const rest = this.#memory.subarray(this.#wholeLength, this.#length);
    this.drop();
    if (rest.length > 0) this.append(rest);
    return whole;
  }

  /** Forgets all, with its memory; gives how much it was. */
  drop(): number {
    const length = this.#length;
    this.#memory = new Uint8Array(new ArrayBuffer(0));
    this.#length = 0;
    this.#wholeLength = 0;
    return length;
  }

  #reserve(length: number): void {
    const { length: size } = this.#memory;
    if (length <= size) return;
    const former = this.#memory.subarray(0, this.#length);
    // Twice the size, so that a long line is not copied over and over.
    this.#memory = new Uint8Array(this.#takeMemory(Math.max(length, 2 * size)));
    this.#memory.set(former);
  }
}

function countNewlines(bytes: Uint8Array): number {
  // A Buffer searches several times as fast as a Uint8Array.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
