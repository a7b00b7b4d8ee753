import { constants } from "node:buffer";
import type { DocumentRecord, LineBlock } from "./blocks.js";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = Buffer.from("\ufeff", "utf8");

/** Bytes at the beginning of a file that tell whether it is one document. */
export const DOCUMENT_HEAD = 2 ** 16;

/**
 * Tells by its beginning, up to `DOCUMENT_HEAD` bytes, whether a file is one JSON text rather than one per line: an array,
 * or an object that continues on the next line. Files of lines that are arrays, or that begin with a line that was cut
 * off, are none.
 */
export function isDocument(head: Uint8Array): boolean {
  const text = Buffer.from(head)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  const [first = "", second] = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (first.startsWith("[")) return !(first.endsWith("]") && second?.startsWith("[") === true);
  if (!first.startsWith("{") || second === undefined) return false;
  return !first.endsWith("}") && !second.startsWith("{");
}

interface CutDocumentOptions {
  /** Minimum size of a block, except the last. */
  readonly minBytes?: number | undefined;
  /** Bytes of longer records are dropped. Default: the length of V8's longest string. */
  readonly maxRecordBytes?: number | undefined;
}

/** Most records in a block. */
const MAX_RECORDS = 2 ** 14;

/**
 * Cuts a JSON text into blocks of records: the elements of an array, or the whole text. Within a record, carriage returns
 * become spaces and line breaks become carriage returns, so that each record is one line whose layout is known. All bytes
 * keep their offsets. What is no JSON becomes a record, or a part of one, that is no JSON either. Holds one block and the
 * current record.
 */
export async function* cutDocument(
  chunks: AsyncIterable<Uint8Array>,
  { minBytes = 0, maxRecordBytes = constants.MAX_STRING_LENGTH }: CutDocumentOptions = {},
): AsyncGenerator<LineBlock> {
  const cutter = new DocumentCutter(maxRecordBytes);
  for await (const chunk of chunks) {
    yield* cutter.add(chunk);
    const isFull = cutter.size >= minBytes || cutter.count >= MAX_RECORDS;
    if (isFull && cutter.count > 0) yield* cutter.take();
  }
  yield* cutter.end();
}

/** A record whose end is not yet known. */
interface OpenRecord {
  /** Offset in the stream. */
  readonly start: number;
  readonly line: number;
  readonly column: number;
  /** Whether it is text after the end of the array. */
  readonly isStray: boolean;
}

class DocumentCutter {
  readonly #maxRecordBytes: number;
  /** The bytes from `#base` on. */
  #memory = Buffer.alloc(0);
  #length = 0;
  #base = 0;
  /** Offset, line and column of the next byte. */
  #offset = 0;
  #line = 1;
  #column = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Undefined before the first character. */
  #isArray: boolean | undefined;
  #isClosed = false;
  /** Whether an element must follow: after a comma. */
  #isExpecting = false;
  #open: OpenRecord | undefined;
  /** Whether the open record is too long, so that its bytes are dropped. */
  #isDropping = false;
  #records: (OpenRecord & { readonly end: number })[] = [];

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
  }

  /** Number of bytes from the first complete record to the end of the last one. */
  get size(): number {
    return (this.#records.at(-1)?.end ?? 0) - (this.#records[0]?.start ?? 0);
  }

  get count(): number {
    return this.#records.length;
  }

  *add(chunk: Uint8Array): Generator<LineBlock> {
    let from = 0;
    // The mark is no part of the text, but of its offsets.
    if (this.#offset === 0 && BYTE_ORDER_MARK.equals(chunk.subarray(0, BYTE_ORDER_MARK.length))) {
      from = BYTE_ORDER_MARK.length;
      this.#base = from;
      this.#offset = from;
    }
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      this.#push(this.#read(byte), byte === NEWLINE);
      if (this.#isDropping || this.#open === undefined) continue;
      if (this.#offset - this.#open.start > this.#maxRecordBytes) yield* this.#drop(this.#open);
    }
  }

  /** Takes the complete records. */
  *take(): Generator<LineBlock> {
    const [first] = this.#records;
    const last = this.#records.at(-1);
    if (first !== undefined && last !== undefined) {
      const bytes = Uint8Array.from(
        this.#memory.subarray(first.start - this.#base, last.end - this.#base),
      );
      const records = this.#records.map((record): DocumentRecord => {
        const { start, end } = record;
        return { ...record, start: start - first.start, end: end - first.start };
      });
      yield { line: first.line, offset: first.start, bytes, records };
    }
    this.#records = [];
    this.#forget(this.#open?.start ?? this.#offset);
  }

  *end(): Generator<LineBlock> {
    const isComplete = this.#isArray !== true || this.#isClosed;
    const isCut = this.#depth > 1 || this.#isInString;
    if (this.#open !== undefined) this.#close();
    // An array without its end is not JSON, whatever its elements are.
    if (!isComplete && !isCut) {
      this.#begin();
      this.#close();
    }
    yield* this.take();
  }

  /** Follows the text by one byte; returns what stands for it in a record. */
  #read(byte: number): number {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
      // Also invalid in a string.
      return byte === NEWLINE ? CARRIAGE_RETURN : byte;
    }
    if (byte === NEWLINE) return CARRIAGE_RETURN;
    if (byte === CARRIAGE_RETURN) return SPACE;
    if (byte === SPACE || byte === TAB) return byte;
    if (this.#isArray === undefined) {
      this.#isArray = byte === OPEN_ARRAY;
      if (this.#isArray) {
        this.#depth = 1;
        return byte;
      }
    }
    if (this.#isArray && this.#depth === 1 && !this.#isClosed) {
      const isSeparator = byte === COMMA || byte === CLOSE_ARRAY;
      // A comma without an element before it, or an end where an element must follow, is no JSON.
      const isStray = byte === COMMA ? this.#isFresh() : this.#isExpecting && this.#isFresh();
      if (isSeparator && !isStray) {
        if (this.#open !== undefined) this.#close();
        this.#isExpecting = byte === COMMA;
        this.#isClosed = byte === CLOSE_ARRAY;
        return byte;
      }
      if (byte === CLOSE_ARRAY) {
        this.#begin();
        this.#isClosed = true;
        return byte;
      }
    }
    if (this.#open === undefined) this.#begin();
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#depth += 1;
    else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && this.#depth > 1) this.#depth -= 1;
    return byte;
  }

  /** Whether no element has begun since the last separator. */
  #isFresh(): boolean {
    return this.#open === undefined;
  }

  #begin(): void {
    const isStray = this.#isClosed;
    this.#open = { start: this.#offset, line: this.#line, column: this.#column, isStray };
  }

  #push(byte: number, isNewline: boolean): void {
    if (!this.#isDropping) {
      if (this.#length === this.#memory.length) this.#grow();
      this.#memory[this.#length] = byte;
      this.#length += 1;
    }
    this.#offset += 1;
    if (isNewline) {
      this.#line += 1;
      this.#column = 1;
    } else if ((byte & 0xc0) !== 0x80) this.#column += byte >= 0xf0 ? 2 : 1;
  }

  #grow(): void {
    const memory = Buffer.allocUnsafe(Math.max(2 ** 16, 2 * this.#memory.length));
    this.#memory.copy(memory, 0, 0, this.#length);
    this.#memory = memory;
  }

  #close(): void {
    if (this.#open !== undefined && !this.#isDropping) {
      this.#records.push({ ...this.#open, end: this.#offset });
    }
    if (this.#isDropping) {
      this.#isDropping = false;
      this.#base = this.#offset;
      this.#length = 0;
    }
    this.#open = undefined;
  }

  *#drop(open: OpenRecord): Generator<LineBlock> {
    const { line, start } = open;
    yield* this.take();
    this.#isDropping = true;
    this.#memory = Buffer.alloc(0);
    this.#length = 0;
    yield { line, offset: start, bytes: undefined };
  }

  /** Frees the bytes before an offset. */
  #forget(offset: number): void {
    if (this.#isDropping) return;
    const kept = this.#memory.subarray(offset - this.#base, this.#length);
    this.#memory = Buffer.from(kept);
    this.#length = kept.length;
    this.#base = offset;
  }
}

/** What stands for the bytes of a valid record, as read again from its file. */
export function flattenRecord(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === CARRIAGE_RETURN) bytes[at] = SPACE;
    else if (bytes[at] === NEWLINE) bytes[at] = CARRIAGE_RETURN;
  }
}
