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

interface CutOptions {
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

/** One line that is not blank. */
export interface SourceLine {
  /** Number of the line in its file, from 1; blank lines count. */
  readonly line: number;
  /** Where it begins in its stream, in bytes from 0. */
  readonly offset: number;
  /** All of it but its newline. Empty when it is longer than any string can be. */
  readonly stored: Buffer;
  /**
   * What is to be parsed: without a byte-order mark and a carriage return. Undefined when the line is
   * longer than any string can be; its bytes were dropped.
   */
  readonly bytes: Buffer | undefined;
}

const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from("\ufeff", "utf8");
/** Whitespace of JSON (RFC 8259, section 2) within a line. */
const BLANK = new Set([0x20, 0x09, 0x0d]);
const NO_BYTES = Buffer.alloc(0);

/**
 * The lines of a block, cut on `\n` only: U+2028 and its like are text. A carriage return before the
 * newline belongs to the line break; a byte-order mark at the start of the stream and blank lines are
 * skipped; the last line needs no newline.
 */
export function* blockLines(
  block: LineBlock,
  maxLineBytes: number = constants.MAX_STRING_LENGTH,
): Generator<SourceLine> {
  let { line, offset } = block;
  if (block.bytes === undefined) {
    yield { line, offset, stored: NO_BYTES, bytes: undefined };
    return;
  }
  const all = Buffer.from(block.bytes.buffer, block.bytes.byteOffset, block.bytes.length);
  for (let start = 0; start < all.length; line += 1) {
    const found = all.indexOf(NEWLINE, start);
    const end = found < 0 ? all.length : found;
    // An empty line costs nothing, even a hundred million of them.
    if (end > start) {
      const stored = all.subarray(start, end);
      if (stored.length > maxLineBytes) {
        yield { line, offset, stored: NO_BYTES, bytes: undefined };
      } else {
        const bytes = withoutMarks(stored, offset);
        if (!isBlank(bytes)) yield { line, offset, stored, bytes };
      }
    }
    offset += end + 1 - start;
    start = end + 1;
  }
}

function withoutMarks(stored: Buffer, offset: number): Buffer {
  const start =
    offset === 0 && stored.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
      ? BYTE_ORDER_MARK.length
      : 0;
  const end = stored.at(-1) === CARRIAGE_RETURN ? stored.length - 1 : stored.length;
  return start === 0 && end === stored.length ? stored : stored.subarray(start, end);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => BLANK.has(byte));
}

/**
 * Cuts a byte stream into lines, as `blockLines` does, one batch per chunk in which a line ends. Holds
 * no more than one chunk and the line under way; a line of more than `maxLineBytes` is given without
 * its bytes, by default one that is longer than V8's longest string.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes?: number,
): AsyncGenerator<SourceLine[]> {
  for await (const block of cutBlocks(chunks, { maxLineBytes })) {
    const lines = [...blockLines(block, maxLineBytes)];
    if (lines.length > 0) yield lines;
  }
}
