import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, UserError } from "../../src/user-error.js";
import { createFinding } from "./create-finding.js";
import type { FaultPlace } from "./fault-place.js";
import type { Finding } from "./finding.js";

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
