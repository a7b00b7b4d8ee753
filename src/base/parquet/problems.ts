import { previewValue } from "../text.js";

/** Why a file cannot be read, in words for people. All other errors are those of libraries. */
export class ParquetProblem extends Error {}

/** What helps against damage. */
const COPY_AGAIN = "copy the file again, or write it again";

/** What was found to be damaged. */
export function damaged(what: string): ParquetProblem {
  return new ParquetProblem(`${what}: ${COPY_AGAIN}`);
}

/** A column as messages name it. `path`: its name, behind those of the structs that it is in. */
export function describeColumn(path: string): string {
  return `the column ${previewValue(path)}`;
}

/** Runs a step of reading. What a library throws says nothing to people: `what` is said instead. Throws ParquetProblem. */
export function guard<Result>(what: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof ParquetProblem ? error : damaged(what);
  }
}
