import { constants } from "node:buffer";

/** A part of a byte stream that consists of whole lines. */
export interface LineBlock {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Offset of its first byte in the stream, from 0. */
  readonly offset: number;
  /**
   * Whole lines with their newlines; only the stream's last line may lack one. The block is the only user of
   * the underlying buffer.
   *
   * Undefined for a single line that is too long to be a string; its bytes were dropped.
   */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  /** The records in the bytes, if the stream is one JSON text instead of lines: see `cutDocument`. */
  readonly records?: readonly DocumentRecord[];
}

/** A record of a JSON text, which may span several lines. */
export interface DocumentRecord {
  /** Where it begins, from 1; the column in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /** Where it begins and ends in the bytes of its block. */
  readonly start: number;
  readonly end: number;
  /** Whether it is text after the end of the JSON text. */
  readonly isStray: boolean;
}

const NEWLINE = 0x0a;

interface CutOptions {
  /** Minimum size of a block, except the last. With 0, the default, each chunk that contains a newline ends a block. */
  readonly minBytes?: number | undefined;
  /** Bytes of longer lines are dropped. Default: the length of V8's longest string. */
  readonly maxLineBytes?: number | undefined;
  /** Allocates a buffer of at least the given size. Default: a new ArrayBuffer. */
  readonly takeMemory?: ((bytes: number) => ArrayBuffer) | undefined;
}

/**
 * Cuts a byte stream into blocks of whole lines. Only `\n` ends a line. Holds one block and the current line.
 * Chunks are copied, so they may be reused after they are yielded.
 */
export async function* cutBlocks(
  chunks: AsyncIterable<Uint8Array>,
  { minBytes = 0, maxLineBytes = constants.MAX_STRING_LENGTH, takeMemory }: CutOptions = {},
): AsyncGenerator<LineBlock> {
  const pending = new PendingBytes(takeMemory);
  let line = 1;
  let offset = 0;
  let dropped = 0;

  function* pass(bytes: Uint8Array<ArrayBuffer>): Generator<LineBlock> {
    for (const part of splitByLines(bytes)) {
      const block = { line, offset, bytes: part.bytes };
      line += part.lines;
      offset += part.bytes.length;
      yield block;
    }
  }
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
      yield* pass(pending.takeWholeLines());
    }
    if (lineIsTooLong) dropped = pending.drop();
  }
  if (dropped > 0) yield passDropped();
  else if (pending.length > 0) yield* pass(pending.takeAll());
}

/** Bytes that are buffered until a block is full. */
class PendingBytes {
  readonly #takeMemory: (bytes: number) => ArrayBuffer;
  #memory = new Uint8Array(new ArrayBuffer(0));
  #length = 0;
  #wholeLength = 0;

  constructor(takeMemory = (bytes: number) => new ArrayBuffer(bytes)) {
    this.#takeMemory = takeMemory;
  }

  /** Number of buffered bytes. */
  get length(): number {
    return this.#length;
  }

  /** Number of bytes in complete lines. */
  get wholeLength(): number {
    return this.#wholeLength;
  }

  /** Number of bytes in the current, incomplete line. */
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

  /** Drops all bytes and the buffer. Returns the number of bytes dropped. */
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
    // Doubling avoids copying a long line again for every chunk.
    this.#memory = new Uint8Array(this.#takeMemory(Math.max(length, 2 * size)));
    this.#memory.set(former);
  }
}

/** Maximum lines in a block: the result of very short lines can be hundreds of times as large as the lines. */
const MAX_BLOCK_LINES = 2 ** 14;

/** Splits whole lines into parts of at most MAX_BLOCK_LINES, each in memory of its own. */
function splitByLines(
  bytes: Uint8Array<ArrayBuffer>,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly lines: number }[] {
  // Searching a Buffer is several times as fast as searching a Uint8Array.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts = [];
  let begin = 0;
  let lines = 0;
  for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, at + 1)) {
    lines += 1;
    if (lines < MAX_BLOCK_LINES || at + 1 === bytes.length) continue;
    parts.push({ bytes: bytes.slice(begin, at + 1), lines });
    begin = at + 1;
    lines = 0;
  }
  parts.push({ bytes: begin === 0 ? bytes : bytes.slice(begin), lines });
  return parts;
}

/** A line that is not blank. */
export interface SourceLine {
  /** Line number in the file, from 1; blank lines count. */
  readonly line: number;
  /** Byte offset in the stream, from 0. */
  readonly offset: number;
  /** The whole line without its newline. Empty if the line is too long to be a string. */
  readonly stored: Buffer;
  /**
   * The bytes to parse: without byte-order mark and carriage return. Undefined if the line is too long to be a
   * string; its bytes were dropped.
   */
  readonly bytes: Buffer | undefined;
  /**
   * For a record of a JSON text: the column in which it begins. Each carriage return in its bytes stands for a line break
   * of the file.
   */
  readonly column?: number | undefined;
  readonly isStray?: boolean;
}

const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from("\ufeff", "utf8");
/** JSON whitespace (RFC 8259, section 2) that can occur within a line. */
const BLANK = new Set([0x20, 0x09, 0x0d]);
const NO_BYTES = Buffer.alloc(0);

/**
 * Yields the lines of a block. Only `\n` ends a line; U+2028 and similar characters are text. A carriage return
 * before the newline is removed. A byte-order mark at the start of the stream and blank lines are skipped. The
 * last line needs no newline.
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
  if (block.records !== undefined) {
    for (const { start, end, ...place } of block.records) {
      const stored = all.subarray(start, end);
      yield { ...place, offset: block.offset + start, stored, bytes: stored };
    }
    return;
  }
  for (let start = 0; start < all.length; line += 1) {
    const found = all.indexOf(NEWLINE, start);
    const end = found < 0 ? all.length : found;
    // Skips empty lines early: a file may have a hundred million of them.
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
 * Cuts a byte stream into lines as `blockLines` does, in one batch per chunk that contains a newline. Holds at
 * most one chunk and the current line. Lines longer than `maxLineBytes` are yielded without their bytes; the
 * default is the length of V8's longest string.
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
