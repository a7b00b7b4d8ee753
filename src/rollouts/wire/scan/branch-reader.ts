import { isUtf8 } from "node:buffer";
import type { ModelContext, RolloutBranchRecord, ToolEvent } from "#generated/index.js";
import { type Shape, shapes } from "#generated/shapes.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import type { SourceLine } from "../../../base/jsonl/blocks.js";
import {
  type ParsedRecord,
  type RecordLine,
  type RecordReader,
  toRecordLine,
} from "../../../base/jsonl/reader.js";
import { type LineScan, LineScanner } from "./line-scanner.js";
import { ScalarReader, textOf } from "./scalar-reader.js";
import type { Pairing } from "./shape-table.js";

/** The field that makes up most of a branch. Outputs that do not read it copy it unchanged. */
const TOOL_EVENTS = "tool_call_sequence" satisfies keyof RolloutBranchRecord;

const ROLLOUT_ID = "rollout_id" satisfies keyof RolloutBranchRecord;

/** Tool events for which the rules `tool-event-dialect` and `unpaired-tool-result` have no findings: see there. */
const PAIRING: Pairing = {
  list: TOOL_EVENTS,
  kind: "event",
  call: "tool_call" satisfies ToolEvent["event"],
  answer: "tool_result" satisfies ToolEvent["event"],
  name: "data/toolName",
  id: "data/callId",
};

/** Fields that rules read, apart from the tool events. */
export const RULED_FIELDS = [
  "rollout_id",
  "task",
  "branch_index",
  "objective_status",
  "objective_score",
  "rank",
  "total_score",
] as const satisfies (keyof RolloutBranchRecord)[];

/** Fields that no rule reads. */
export const UNRULED_FIELDS = [
  "schema_version",
  "temperature",
  "session_id",
  "final_answer",
  "build_result",
  "seed",
] as const satisfies (keyof RolloutBranchRecord)[];

const CLASSIFIED: ReadonlySet<string> = new Set([
  TOOL_EVENTS,
  ...RULED_FIELDS,
  ...UNRULED_FIELDS,
] satisfies (keyof RolloutBranchRecord)[]);

/** A field of text or of a number. */
type ScalarField = Exclude<
  (typeof RULED_FIELDS)[number] | (typeof UNRULED_FIELDS)[number],
  "build_result" | "seed"
>;

/**
 * How much of a valid branch is parsed:
 *
 * - `whole`: everything.
 * - `outline`: everything but the tool events.
 * - `fields`: only these, which must include RULED_FIELDS, unless it has a field of which it is not known whether rules
 *   read it. The tool events are parsed for rules only, or always, or their bytes are remembered as for an outline.
 */
export type Extent =
  | "whole"
  | "outline"
  | {
      readonly fields: readonly ScalarField[];
      readonly events: "ruled" | "parsed" | "copied";
    };

export type BranchType = "RolloutBranch" | "RolloutBranchRecord";

/** Longer lines are scanned in temporary memory, which takes five times their length. */
const MAX_KEPT_BYTES = 8 * 2 ** 20;

const CARRIAGE_RETURN = 0x0d;

/**
 * Reads branches by a scan of their bytes, and parses only what is needed. Remembers the bytes of the tool events so
 * that they can be copied.
 *
 * A record that the scan finds valid for `type` needs no other validation (`validFor`). Its tool events are parsed only if
 * they are wanted or a rule may have a finding about them: because one is not in the format's own dialect, is neither a
 * call with an id nor the only answer to an earlier call, or because a rule compares the events with another field
 * (`isSelfContained`). Otherwise an empty list stands for them. To copy the events unchanged, pass that same list on: the
 * printer writes the bytes remembered for it. Whatever is parsed, a line has the same findings.
 */
export class BranchReader implements RecordReader {
  readonly type: BranchType;
  readonly #parsesEvents: boolean;
  readonly #copiesEvents: boolean;
  readonly #shape: ScannedShape;
  /** Undefined if whole lines are parsed. */
  readonly #scalars: ScalarReader | undefined;
  readonly #copies = new WeakMap<object, Uint8Array>();

  /** A record with one of the `foreign` fields is validated in full. */
  constructor(type: BranchType, extent: Extent, foreign: readonly string[] = []) {
    this.type = type;
    this.#shape = scannedShape(type, foreign);
    const isScalar = typeof extent === "object";
    this.#scalars = isScalar ? new ScalarReader(this.#shape.shape, extent.fields) : undefined;
    this.#parsesEvents = extent === "whole" || (isScalar && extent.events === "parsed");
    this.#copiesEvents = extent === "outline" || (isScalar && extent.events === "copied");
  }

  read(file: string, source: SourceLine): RecordLine {
    const { bytes, isStray } = source;
    if (bytes === undefined || isStray || !isUtf8(bytes)) return toRecordLine(file, source);
    const scanner = this.#shape.scannerFor(bytes.length);
    const scan = scanner.scan(bytes);
    if (scan === undefined) return toRecordLine(file, source);
    const start = scanner.startOf(this.#shape.events);
    const end = scanner.endOf(this.#shape.events);
    const isKnown = scan.followsLineRules && scan.listFits && (scan.fits || scan.isPaired);
    const record = isKnown
      ? this.#toRecord(file, source, bytes, scanner, scan)
      : toRecordLine(file, source);
    if (end > 0 && this.#copiesEvents && "value" in record) {
      this.#remember(record, bytes.subarray(start, end));
    }
    return record;
  }

  /** The rollout that a valid line names. Undefined for any other: then `read` the line. */
  idOf({ bytes, isStray }: SourceLine): string | undefined {
    if (bytes === undefined || isStray || !isUtf8(bytes)) return undefined;
    const { id } = this.#shape;
    const scanner = this.#shape.scannerFor(bytes.length);
    const scan = scanner.scan(bytes);
    if (scan === undefined || !scan.followsLineRules || !scan.fits) return undefined;
    const value: unknown = JSON.parse(textOf(bytes, scanner.startOf(id), scanner.endOf(id)));
    return typeof value === "string" ? value : undefined;
  }

  bytesOf(value: object): Uint8Array | undefined {
    return this.#copies.get(value);
  }

  #toRecord(
    file: string,
    source: SourceLine,
    bytes: Buffer,
    scanner: LineScanner,
    scan: LineScan,
  ): ParsedRecord {
    const value = this.#parse(bytes, scanner, scan);
    const validFor = scan.fits ? this.type : undefined;
    const ruled =
      this.#parsesEvents && scan.isPaired && isSelfContained(value)
        ? { ...value, [TOOL_EVENTS]: [] }
        : undefined;
    return new ScannedRecord(file, source, bytes, value, validFor, ruled);
  }

  #parse(bytes: Buffer, scanner: LineScanner, { fits, isPaired }: LineScan): JsonObject {
    const { events, unclassified } = this.#shape;
    const [start, end] = [scanner.startOf(events), scanner.endOf(events)];
    const isClassified = unclassified.every((member) => scanner.endOf(member) === 0);
    if (this.#scalars !== undefined && fits && isClassified) {
      const isEmpty = isPaired && !this.#parsesEvents;
      const value = this.#scalars.read(bytes, scanner);
      value[TOOL_EVENTS] = isEmpty ? [] : JSON.parse(textOf(bytes, start, end));
      return value;
    }
    if (this.#parsesEvents || !isPaired || end === 0) return parseObject(textOf(bytes));
    const outline = parseObject(`${textOf(bytes, 0, start)}[]${textOf(bytes, end)}`);
    return isSelfContained(outline) ? outline : parseObject(textOf(bytes));
  }

  #remember({ value }: ParsedRecord, bytes: Buffer): void {
    const events = value[TOOL_EVENTS];
    // A copied carriage return would end the line in a file that is read with universal newlines.
    if (typeof events !== "object" || events === null || bytes.includes(CARRIAGE_RETURN)) return;
    this.#copies.set(events, bytes);
  }
}

/** A record whose line follows all line rules. Its text is decoded only for the columns of findings, which are rare. */
class ScannedRecord implements ParsedRecord {
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
  readonly byteLength: number;
  readonly value: JsonObject;
  readonly validFor: BranchType | undefined;
  readonly ruled: JsonObject | undefined;
  readonly followsLineRules = true;
  readonly #bytes: Buffer;

  constructor(
    file: string,
    { line, column }: SourceLine,
    bytes: Buffer,
    value: JsonObject,
    validFor: BranchType | undefined,
    ruled: JsonObject | undefined,
  ) {
    this.file = file;
    this.line = line;
    this.column = column;
    this.byteLength = bytes.length;
    this.value = value;
    this.validFor = validFor;
    this.ruled = ruled;
    this.#bytes = bytes;
  }

  get text(): string {
    return textOf(this.#bytes);
  }
}

/** A shape with the scanner that is kept for it. */
class ScannedShape {
  readonly shape: Shape;
  #kept: LineScanner | undefined;

  constructor(shape: Shape) {
    this.shape = shape;
    const keys = Object.keys(shape.properties ?? {});
    this.events = keys.indexOf(TOOL_EVENTS);
    this.id = keys.indexOf(ROLLOUT_ID);
    this.unclassified = keys.flatMap((key, member) => (CLASSIFIED.has(key) ? [] : [member]));
  }

  /** Index of the id of the rollout. */
  readonly id: number;
  /** Index of the tool events. */
  readonly events: number;
  /** Indices of the members of which it is not known whether rules read them. */
  readonly unclassified: readonly number[];

  scannerFor(size: number): LineScanner {
    if (size > MAX_KEPT_BYTES) return new LineScanner(this.shape, PAIRING);
    this.#kept ??= new LineScanner(this.shape, PAIRING);
    return this.#kept;
  }
}

const scannedShapes = new Map<string, ScannedShape>();

/** Every thread scans for few shapes. */
function scannedShape(type: BranchType, foreign: readonly string[]): ScannedShape {
  const name = [type, ...foreign].join();
  const known = scannedShapes.get(name);
  if (known !== undefined) return known;
  const nothing = Object.fromEntries(foreign.map((key): [string, Shape] => [key, { type: [] }]));
  const { properties, ...shape } = shapes[type];
  const made = new ScannedShape({ ...shape, properties: { ...properties, ...nothing } });
  scannedShapes.set(name, made);
  return made;
}

const TURNS = "turns" satisfies keyof RolloutBranchRecord;
const CONTEXT = "context" satisfies keyof RolloutBranchRecord;
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

function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new TypeError("the line is not an object");
  return value;
}
