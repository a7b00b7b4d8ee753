import { readFileSync } from "node:fs";
import { join } from "node:path";
import { locateOffsets } from "../json/pointer.js";
import { escapeControls, formatCount } from "../text.js";
import { EXIT, UserError } from "../user-error.js";

/** Only an error makes a command exit with 1; a warning is printed and counted. */
export type Severity = "error" | "warning";

/** One thing that is wrong with the input, as every command reports it. */
export interface Finding {
  /** Keyword of JSON Schema, id of a semantic rule, or `json` for a line that cannot be read. */
  readonly id: string;
  readonly severity: Severity;
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units; 1 when the place in the line is not known. */
  readonly column: number;
  /** JSON Pointer (RFC 6901) into the record; "" is the record, or the line that holds none. */
  readonly pointer: string;
  /** A sentence without its place, safe on a terminal. */
  readonly message: string;
  /** Id of the check that found it, in the report of a conformance run; checks leave it out. */
  readonly check?: string;
  /** Name of the finding over all runs, where it has one: approvals go by it. */
  readonly fingerprint?: string;
  /** Lines that show more, such as a diff or a record that proves it; safe on a terminal. */
  readonly detail?: string;
}

/** A finding without its place in the file, which is looked up later. */
export interface RecordFault extends Pick<Finding, "id" | "severity" | "pointer" | "message"> {
  /** From 1; absent where the value that `pointer` names begins. */
  readonly column?: number | undefined;
}

/** What is wrong with a file whose text is at hand. */
interface FileFinding extends FaultPlace {
  /** JSON text of the file, in which the pointer is looked up; absent for a file that holds none. */
  readonly source?: string;
}

/** An error of a check, with its place in the file; the file's first character when there is none. */
export function createFinding(fault: FileFinding): Finding {
  const { id, file, source, pointer = "", message, detail } = fault;
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
    ...(detail !== undefined && { detail }),
  };
}

interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  /** Ids of the warnings, each once. */
  readonly warningIds: readonly string[];
}

/** `3 errors, 1 warning (tool-event-dialect)`. */
export function describeFindings({ errors, warnings, warningIds }: FindingCounts): string {
  const ids = warningIds.length > 0 ? ` (${warningIds.join(", ")})` : "";
  return `${formatCount(errors, "error")}, ${formatCount(warnings, "warning")}${ids}`;
}

/** What is wrong with a file of the repository, and where. */
export interface FaultPlace {
  /** What kind of fault it is, as the finding's id. */
  readonly id: string;
  /** From the repository's root, with forward slashes. */
  readonly file: string;
  /** JSON Pointer into the file; "" is the file as a whole. */
  readonly pointer?: string;
  /** For a place that no pointer can name, such as one in a file that is not JSON. */
  readonly position?: TextPosition;
  /** A sentence that follows the place. */
  readonly message: string;
  /** Lines that show more, safe on a terminal. */
  readonly detail?: string;
}

/** A file of the repository says what it may not say: thrown by those who cannot go on with it. */
export class FileFault extends UserError {
  readonly place: FaultPlace;

  constructor(place: FaultPlace) {
    const { file, pointer = "", message } = place;
    super([file, pointer, message].filter((part) => part !== "").join(" "), EXIT.findings);
    this.place = place;
  }
}

/** The faults as errors, each with its line and column in the files below `root`. */
export function toFindings(root: string, places: readonly FaultPlace[]): Finding[] {
  return places.map((place) => {
    const source = place.pointer ? readSource(join(root, place.file)) : undefined;
    return createFinding({ ...place, ...(source !== undefined && { source }) });
  });
}

/** The file may be what is missing; the fault itself must still be told. */
function readSource(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** A place in a text of several lines, both from 1; columns in UTF-16 code units. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The position of the code unit at `offset`, from 0, in `text`. */
export function toTextPosition(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * Where the value that `pointer` names begins in the JSON text `text`; where its nearest parent does
 * when there is no such value, as for a property that is missing.
 */
export function locateInText(text: string, pointer: string): TextPosition {
  const [position = { line: 1, column: 1 }] = locateAllInText(text, [pointer]);
  return position;
}

/** The same for many pointers into one text, which is read once. */
export function locateAllInText(text: string, pointers: readonly string[]): TextPosition[] {
  const families = pointers.map((pointer) =>
    pointer.split("/").map((_, index, tokens) => tokens.slice(0, index + 1).join("/")),
  );
  const offsets = locateOffsets(text, families.flat());
  let next = 0;
  return families.map((family) => {
    const own = offsets.slice(next, next + family.length);
    next += family.length;
    return toTextPosition(text, Math.max(0, ...own));
  });
}
