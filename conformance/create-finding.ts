import { escapeControls } from "../src/records/escape-controls.js";
import type { Finding } from "./finding.js";
import { locateInText, type TextPosition } from "./locate-in-text.js";

/** What is wrong with a file of the repository, and where. */
export interface FileFinding {
  readonly id: string;
  /** From the repository's root. */
  readonly file: string;
  /** JSON text of the file, in which `pointer` is looked up; absent for a file that holds none. */
  readonly source?: string;
  /** "" unless given. */
  readonly pointer?: string;
  /** Where it is, when the pointer does not say it. */
  readonly position?: TextPosition;
  readonly message: string;
  readonly detail?: string;
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
