import { readFileSync } from "node:fs";
import { join } from "node:path";
import { locateOffsets } from "../json/pointer.js";
import { escapeControls, formatCount } from "../text.js";
import { EXIT, UserError } from "../user-error.js";

/** Only errors make a command exit with 1; warnings are printed and counted. */
export type Severity = "error" | "warning";

/** One fault in the input, in the form that every command reports. */
export interface Finding {
  /** Keyword of JSON Schema, id of a semantic rule, or `json` for an unreadable line. */
  readonly id: string;
  readonly severity: Severity;
  /** The file as named by the user, or `<stdin>`. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units; 1 if the position in the line is unknown. */
  readonly column: number;
  /** JSON Pointer (RFC 6901) into the record; "" for the whole record, or for a line without one. */
  readonly pointer: string;
  /** A sentence without the position, safe on a terminal. */
  readonly message: string;
  /**
   * Tells apart the causes that a finding with this id can have. Findings about one place of many records with one cause
   * are shown once. Never printed. Default: the message; give a cause if the message quotes the record.
   */
  readonly cause?: string;
  /** Id of the check that found it, set by the engine in a conformance run; checks omit it. */
  readonly check?: string;
  /** Identifies the finding across runs, if it can be approved. */
  readonly fingerprint?: string;
  /** Further lines, such as a diff or a proof; safe on a terminal. */
  readonly detail?: string;
}

/** The place of a value in a file. */
export type FindingPlace = Pick<Finding, "file" | "line" | "column" | "pointer">;

/** A finding whose position in the file is looked up later. */
export interface RecordFault
  extends Pick<Finding, "id" | "severity" | "pointer" | "message" | "cause"> {
  /** 1-based. Default: where the value at `pointer` begins. */
  readonly column?: number | undefined;
}

/** A fault in a file whose text is available. */
interface FileFinding extends FaultPlace {
  /** JSON text in which the pointer is looked up; absent for other files. */
  readonly source?: string;
}

/** An error of a check, with its position in the file; 1:1 if the position is unknown. */
export function createFinding(fault: FileFinding): Finding {
  const { id, file, source, pointer = "", message, cause, detail } = fault;
  const located = source === undefined ? { line: 1, column: 1 } : locateInText(source, pointer);
  const { line, column } = fault.position ?? located;
  return {
    id,
    severity: "error",
    file,
    line,
    column,
    pointer,
    message: escapeControls(message),
    ...(cause !== undefined && { cause }),
    ...(detail !== undefined && { detail }),
  };
}

interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  /** Ids of the warnings, without duplicates. */
  readonly warningIds: readonly string[];
}

/** `3 errors, 1 warning (tool-event-dialect)`. */
export function describeFindings({ errors, warnings, warningIds }: FindingCounts): string {
  const ids = warningIds.length > 0 ? ` (${warningIds.join(", ")})` : "";
  return `${formatCount(errors, "error")}, ${formatCount(warnings, "warning")}${ids}`;
}

/** A fault in a file of the repository. */
export interface FaultPlace {
  /** Kind of fault; becomes the finding's id. */
  readonly id: string;
  /** Path from the repository's root, with forward slashes. */
  readonly file: string;
  /** JSON Pointer into the file; "" for the whole file. */
  readonly pointer?: string;
  /** Position that no pointer can express, such as in a file that is not JSON. */
  readonly position?: TextPosition;
  /** A sentence that follows the position. */
  readonly message: string;
  /** As in a finding. */
  readonly cause?: string;
  /** Further lines, safe on a terminal. */
  readonly detail?: string;
}

/** Thrown if faults in files prevent further work. */
export class FileFault extends UserError {
  /** The first fault, which the message tells. */
  readonly place: FaultPlace;
  /** All of them. */
  readonly places: readonly FaultPlace[];

  constructor(place: FaultPlace, ...others: readonly FaultPlace[]) {
    const { file, pointer = "", message } = place;
    super([file, pointer, message].filter((part) => part !== "").join(" "), EXIT.findings);
    this.place = place;
    this.places = [place, ...others];
  }
}

/** Throws FileFault with all these faults, if there are any. */
export function throwFaults([first, ...others]: readonly FaultPlace[]): void {
  if (first !== undefined) throw new FileFault(first, ...others);
}

/** Converts faults to errors, with line and column in the files below `root`. */
export function toFindings(root: string, places: readonly FaultPlace[]): Finding[] {
  return places.map((place) => {
    const source = place.pointer ? readSource(join(root, place.file)) : undefined;
    return createFinding({ ...place, ...(source !== undefined && { source }) });
  });
}

/** The file may be missing; the fault must still be reported. */
function readSource(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** A position in a text, 1-based; columns in UTF-16 code units. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The position of the code unit at `offset` (0-based) in `text`. */
export function toTextPosition(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * Where the value at `pointer` begins in the JSON text `text`. If there is no such value, such as a missing
 * property: where its nearest existing parent begins.
 */
export function locateInText(text: string, pointer: string): TextPosition {
  const [position = { line: 1, column: 1 }] = locateAllInText(text, [pointer]);
  return position;
}

/** The same for many pointers into one text, which is parsed once. */
export function locateAllInText(text: string, pointers: readonly string[]): TextPosition[] {
  const families = pointers.map((pointer) =>
    pointer.split("/").map((_, index, tokens) => tokens.slice(0, index + 1).join("/")),
  );
  const offsets = locateOffsets(text, families.flat());
  const starts = lineStarts(text);
  let next = 0;
  return families.map((family) => {
    const own = offsets.slice(next, next + family.length);
    next += family.length;
    return toPosition(Math.max(0, ...own), starts);
  });
}

/** The offsets at which the lines of a text begin. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) {
    starts.push(end + 1);
  }
  return starts;
}

function toPosition(offset: number, starts: readonly number[]): TextPosition {
  let [low, high] = [0, starts.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
