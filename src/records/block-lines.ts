import { constants } from "node:buffer";
import type { LineBlock } from "./cut-blocks.js";

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

const NEWLINE = 0x0a;
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
