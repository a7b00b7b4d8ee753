import { isAscii, isUtf8 } from "node:buffer";
import type { RolloutBranch, ToolEvent } from "#generated/index.js";
import { shapes } from "#generated/shapes.js";
import type { SourceLine } from "./block-lines.js";
import { isJsonObject } from "./json-object.js";
import { type LineReading, type RecordReader, wholeReader } from "./record-reader.js";
import { type LineScan, LineScanner } from "./scan/line-scanner.js";
import type { Pairing } from "./scan/shape-table.js";
import { type ParsedRecord, toRecordLine } from "./to-record-line.js";

/** The field that makes most of a branch, and that is carried as it came by all who do not read it. */
const TOOL_EVENTS = "tool_call_sequence" satisfies keyof RolloutBranch;

const PAIRING: Pairing = {
  kind: "event",
  call: "tool_call" satisfies ToolEvent["event"],
  answer: "tool_result" satisfies ToolEvent["event"],
  name: "data/toolName",
  id: "data/callId",
};

/** Longer lines are scanned with memory of their own, which is not kept. */
const MAX_KEPT_BYTES = 16 * 2 ** 20;

const CARRIAGE_RETURN = 0x0d;

/**
 * Reads records without making values of their tool events, and remembers the bytes of these so that they can be
 * copied.
 *
 * The outline of a record has no tool events. It is to be had when they are faultless: each is of the format's own
 * dialect, names its tool, and is a call with an id or the only answer to a call before it; and when the line
 * follows all rules for lines.
 */
export class OutlineReader implements RecordReader {
  readonly #copies = new WeakMap<object, Uint8Array>();

  read(file: string, source: SourceLine): LineReading {
    const { bytes } = source;
    const scan = bytes && isUtf8(bytes) ? scannerFor(bytes.length).scan(bytes) : undefined;
    if (bytes === undefined || scan === undefined) return wholeReader.read(file, source);
    const outline = scan.isPlain ? toOutline(file, source.line, bytes, scan) : undefined;
    if (outline !== undefined) this.#remember(outline, bytes, scan);
    return {
      outline,
      whole: () => {
        const record = toRecordLine(file, source);
        if ("value" in record) this.#remember(record, bytes, scan);
        return record;
      },
    };
  }

  bytesOf(value: object): Uint8Array | undefined {
    return this.#copies.get(value);
  }

  #remember({ value }: ParsedRecord, bytes: Buffer, { start, end }: LineScan): void {
    const events = value[TOOL_EVENTS];
    if (typeof events !== "object" || events === null || start === end) return;
    const copied = bytes.subarray(start, end);
    // In a file that is read with universal newlines, a carriage return would end the line.
    if (!copied.includes(CARRIAGE_RETURN)) this.#copies.set(events, copied);
  }
}

let kept: LineScanner | undefined;

function scannerFor(size: number): LineScanner {
  if (size > MAX_KEPT_BYTES) return createScanner();
  kept ??= createScanner();
  return kept;
}

function createScanner(): LineScanner {
  return new LineScanner(TOOL_EVENTS, shapes.ToolCallSequence, PAIRING);
}

function toOutline(
  file: string,
  line: number,
  bytes: Buffer,
  { start, end }: LineScan,
): ParsedRecord | undefined {
  const text =
    start === end
      ? textOf(bytes)
      : `${textOf(bytes, 0, start)}[]${textOf(bytes, end, bytes.length)}`;
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return undefined;
  return {
    file,
    line,
    byteLength: bytes.length,
    value,
    // For the columns of findings about its rollout, of which there are few.
    get text() {
      return textOf(bytes);
    },
  };
}

function textOf(bytes: Buffer, start = 0, end: number = bytes.length): string {
  // Of ASCII the two are the same text, and the first is made four times as fast.
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8", start, end);
}
