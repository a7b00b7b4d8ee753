import { constants } from "node:buffer";

/** One line that is not blank, without its line break. */
export interface SourceLine {
  /** Number of the line in its file, from 1; blank lines count. */
  readonly line: number;
  /** Undefined when the line is longer than any string can be; its bytes were dropped. */
  readonly bytes: Buffer | undefined;
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from("\ufeff", "utf8");
/** Whitespace of JSON (RFC 8259, section 2) within a line. */
const BLANK = new Set([0x20, 0x09, 0x0d]);

/**
 * Cuts a byte stream into lines, on `\n` only: U+2028 and its like are text. A carriage return
 * before the newline belongs to the line break; a byte-order mark at the start of the stream and
 * blank lines are skipped; the last line needs no newline.
 *
 * Gives one batch per chunk, and holds no more than one chunk and the line under way. A line of
 * more than `maxBytes` is given without its bytes; by default that is V8's longest string.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number = constants.MAX_STRING_LENGTH,
): AsyncGenerator<SourceLine[]> {
  const pending = new PendingLine(maxBytes);
  let line = 1;
  for await (const chunk of chunks) {
    const batch: SourceLine[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      // An empty line costs nothing, even a hundred million of them.
      if (end > start || !pending.isEmpty) {
        pending.append(chunk.subarray(start, end));
        batch.push(...toSourceLine(line, pending.take()));
      }
      line += 1;
      start = end + 1;
    }
    pending.append(chunk.subarray(start));
    if (batch.length > 0) yield batch;
  }
  const last = toSourceLine(line, pending.take());
  if (last.length > 0) yield last;
}

function toSourceLine(line: number, bytes: Buffer | undefined): SourceLine[] {
  if (bytes === undefined) return [{ line, bytes }];
  const content = withoutLineEnds(line, bytes);
  return content.every((byte) => BLANK.has(byte)) ? [] : [{ line, bytes: content }];
}

function withoutLineEnds(line: number, bytes: Buffer): Buffer {
  const marked = line === 1 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return bytes.subarray(
    marked ? BYTE_ORDER_MARK.length : 0,
    bytes.at(-1) === 0x0d ? bytes.length - 1 : bytes.length,
  );
}

/** The pieces of a line that may span many chunks. */
class PendingLine {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  append(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  /** The whole line, undefined when it was too long; starts the next one. */
  take(): Buffer | undefined {
    const line = this.#length > this.#maxBytes ? undefined : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}
