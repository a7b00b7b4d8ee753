import { readFileSync } from "node:fs";
import { join } from "node:path";
import { escapeControls } from "../src/records/escape-controls.js";
import { EXIT, UserError } from "../src/user-error.js";
import type { Finding } from "./finding.js";
import { locateInJson, type Position } from "./locate-in-json.js";

/** What is wrong with a file of the repository, and where. */
export interface FaultPlace {
  /** What kind of fault it is, as the finding's id. */
  readonly id: string;
  /** From the repository's root, with forward slashes. */
  readonly file: string;
  /** JSON Pointer into the file; "" is the file as a whole. */
  readonly pointer?: string;
  /** For a place that no pointer can name, such as one in a file that is not JSON. */
  readonly position?: Position;
  /** A sentence that follows the place. */
  readonly problem: string;
}

/** A file of the repository says what it may not say: thrown by those who cannot go on with it. */
export class FileFault extends UserError {
  readonly place: FaultPlace;

  constructor(place: FaultPlace) {
    const { file, pointer = "", problem } = place;
    super([file, pointer, problem].filter((part) => part !== "").join(" "), EXIT.findings);
    this.place = place;
  }
}

/** The faults as errors, each with its line and column in the files below `root`. */
export function toFindings(root: string, places: readonly FaultPlace[]): Finding[] {
  return places.map(({ id, file, pointer = "", position, problem }) => ({
    id,
    severity: "error",
    file,
    ...(position ?? locate(join(root, file), pointer)),
    pointer,
    message: escapeControls(problem),
  }));
}

function locate(path: string, pointer: string): Position {
  const start: Position = { line: 1, column: 1 };
  if (pointer === "") return start;
  try {
    return locateInJson(readFileSync(path, "utf8"), [pointer])[0] ?? start;
  } catch {
    // The file may be what is missing; the fault itself must still be told.
    return start;
  }
}
