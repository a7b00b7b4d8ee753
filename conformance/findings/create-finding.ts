import { escapeControls } from "../../src/text.js";
import type { FaultPlace } from "./fault-place.js";
import type { Finding } from "./finding.js";
import { locateInText } from "./locate-in-text.js";

/** What is wrong with a file whose text is at hand. */
export interface FileFinding extends FaultPlace {
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
