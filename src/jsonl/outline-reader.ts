import { isAscii, isUtf8 } from "node:buffer";
import type { ModelContext, RolloutBranch, ToolEvent } from "#generated/index.js";
import { shapes } from "#generated/shapes.js";
import { isJsonObject, type JsonObject } from "../json/value.js";
import type { SourceLine } from "./blocks.js";
import { type ParsedRecord, type RecordLine, type RecordReader, toRecordLine } from "./reader.js";
import { LineScanner } from "./scan/line-scanner.js";
import type { Pairing } from "./scan/shape-table.js";

/** The field that makes up most of a branch. Outputs that do not read it copy it unchanged. */
const TOOL_EVENTS = "tool_call_sequence" satisfies keyof RolloutBranch;

/** Tool events for which the rules `tool-event-dialect` and `unpaired-tool-result` have no findings. */
const PAIRING: Pairing = {
  kind: "event",
  call: "tool_call" satisfies ToolEvent["event"],
  answer: "tool_result" satisfies ToolEvent["event"],
  name: "data/toolName",
  id: "data/callId",
};

/** Longer lines are scanned in temporary memory, which takes five times their length. */
const MAX_KEPT_BYTES = 8 * 2 ** 20;

const CARRIAGE_RETURN = 0x0d;

/**
 * Reads records without parsing their tool events, and remembers the bytes of the events so that they can be
 * copied.
 *
 * A record becomes an outline if its line follows all line rules and its tool events are faultless: each uses
 * the format's own dialect, names its tool, and is either a call with an id or the only answer to an earlier
 * call. In an outline an empty list stands for the events. An outline has the same findings as the whole
 * record, because events are only missing if no rule compares them with other fields (`isSelfContained`). To copy
 * the events unchanged, pass that same list on: the printer writes the bytes remembered for it. All other lines
 * are parsed completely.
 */
export class OutlineReader implements RecordReader {
  readonly #copies = new WeakMap<object, Uint8Array>();

  read(file: string, source: SourceLine): RecordLine {
    const { bytes } = source;
    if (bytes === undefined || !isUtf8(bytes)) return toRecordLine(file, source);
    const scan = scannerFor(bytes.length).scan(bytes);
    const place = scan?.value;
    const events = place && bytes.subarray(place.start, place.end);
    // A copied carriage return would end the line in a file that is read with universal newlines.
    const copied = events?.includes(CARRIAGE_RETURN) ? undefined : events;
    // Events that cannot be copied must be parsed.
    const isOutline = scan?.isPlain === true && copied === events;
    const record = isOutline
      ? toOutline(file, { ...source, bytes }, place)
      : toRecordLine(file, source);
    if (copied !== undefined && "value" in record) this.#remember(record, copied);
    return record;
  }

  bytesOf(value: object): Uint8Array | undefined {
    return this.#copies.get(value);
  }

  #remember({ value }: ParsedRecord, bytes: Uint8Array): void {
    const events = value[TOOL_EVENTS];
    if (typeof events === "object" && events !== null) this.#copies.set(events, bytes);
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

const TURNS = "turns" satisfies keyof RolloutBranch;
const CONTEXT = "context" satisfies keyof RolloutBranch;
const TOOLS = "tools" satisfies keyof ModelContext;

/**
 * Tells whether no rule compares the tool events of a record with its other fields: `turns-agree` compares them
 * with turns, `undeclared-tool` with declared tools.
 */
function isSelfContained(outline: JsonObject): boolean {
  const context = outline[CONTEXT];
  const tools = isJsonObject(context) ? context[TOOLS] : undefined;
  return outline[TURNS] === undefined && tools === undefined;
}

/** Position of a value in a line, in bytes. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** `bytes` must be a line with a JSON object that follows all line rules; `place` is that of its tool events. */
function toOutline(
  file: string,
  { line, column, bytes }: SourceLine & { readonly bytes: Buffer },
  place?: Place,
): RecordLine {
  const outline = parseWithout(bytes, place);
  const value = place && !isSelfContained(outline) ? parseWithout(bytes) : outline;
  return {
    file,
    line,
    ...(column !== undefined && { column }),
    byteLength: bytes.length,
    value,
    followsLineRules: true,
    // Only needed for the columns of findings, which are rare.
    get text() {
      return textOf(bytes);
    },
  };
}

/** Parses an object. An empty list stands for the value at `place`. */
function parseWithout(bytes: Buffer, place?: Place): JsonObject {
  const text = place
    ? `${textOf(bytes, 0, place.start)}[]${textOf(bytes, place.end)}`
    : textOf(bytes);
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new TypeError("the line is not an object");
  return value;
}

function textOf(bytes: Buffer, start = 0, end: number = bytes.length): string {
  // For ASCII both decodings are equal, and latin1 is faster.
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8", start, end);
}
