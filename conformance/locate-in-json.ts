import { locateOffsets } from "../src/records/locate-pointers.js";

/** A place in a text, both counted from 1; columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Where the values that `pointers` name begin in the text of a JSON file. A pointer that names nothing is
 * at the first character, as are all of them when the text is not JSON or too long to be looked through.
 */
export function locateInJson(text: string, pointers: readonly string[]): Position[] {
  return locateOffsets(text, pointers).map((offset) => toPosition(text, offset));
}

/** The place of the code unit at `offset` in `text`. */
export function toPosition(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
