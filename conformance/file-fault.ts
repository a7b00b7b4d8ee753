import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, UserError } from "../src/user-error.js";
import { createFinding } from "./create-finding.js";
import type { Finding } from "./finding.js";
import type { TextPosition } from "./locate-in-text.js";

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
  readonly problem: string;
  /** Lines that show more, safe on a terminal. */
  readonly detail?: string;
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
  return places.map(({ problem, ...place }) => {
    const source = place.pointer ? readSource(join(root, place.file)) : undefined;
    return createFinding({ ...place, ...(source !== undefined && { source }), message: problem });
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
