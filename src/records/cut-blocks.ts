import { constants } from "node:buffer";

/** A piece of a byte stream that begins and ends where lines do. */
export interface LineBlock {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Where it begins in the stream, in bytes from 0. */
  readonly offset: number;
  /**
   * Whole lines with their newlines; only the stream's last line may lack one. Its memory is its own.
   * Undefined for one line that is longer than any string can be; its bytes were dropped.
   */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
}

const NEWLINE = 0x0a;

/**
 * Cuts a byte stream into blocks of whole lines, each of at least `minBytes` but for the last; with 0,
 * the default, every chunk in which a line ends ends a block. Only `\n` ends a line.
 *
 * Holds one block, one chunk and the line under way. Where that grows beyond `maxLineBytes`, by
 * default V8's longest string, its bytes are dropped.
 */
export async function* cutBlocks(
  chunks: AsyncIterable<Uint8Array>,
  { minBytes = 0, maxLineBytes = constants.MAX_STRING_LENGTH } = {},
): AsyncGenerator<LineBlock> {
  const pending = new PendingBytes();
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

/** Chunks that wait until a block is full. */
class PendingBytes {
  #pieces: Uint8Array[] = [];
  #length = 0;
  #wholeLength = 0;

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

  append(piece: Uint8Array): void {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) this.#wholeLength = this.#length + end;
    this.#length += piece.length;
    if (piece.length > 0) this.#pieces.push(piece);
  }

  takeAll(): Uint8Array<ArrayBuffer> {
    const all = join(this.#pieces, this.#length);
    this.drop();
    return all;
  }

  takeWholeLines(): Uint8Array<ArrayBuffer> {
    const size = this.#wholeLength;
    const all = this.#pieces;
    const whole = join(all, size);
    const restLength = this.lineLength;
    this.drop();
    // The line under way began in the last piece that has a newline; all after it are its own.
    let start = all.length;
    for (let length = 0; length < restLength; start -= 1) length += all[start - 1]?.length ?? 0;
    const rest = all.slice(start);
    const surplus = rest.reduce((sum, { length }) => sum + length, 0) - restLength;
    for (const [index, piece] of rest.entries()) {
      this.append(index === 0 ? piece.subarray(surplus) : piece);
    }
    return whole;
  }

  /** Forgets all; gives how much it was. */
  drop(): number {
    const length = this.#length;
    this.#pieces = [];
    this.#length = 0;
    this.#wholeLength = 0;
    return length;
  }
}

/** The first `length` bytes of the pieces, in memory of their own. */
function join(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(new ArrayBuffer(length));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece.subarray(0, length - at), at);
    at = Math.min(length, at + piece.length);
  }
  return joined;
}

function countNewlines(bytes: Uint8Array): number {
  // A Buffer searches several times as fast as a Uint8Array.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
