import { locateOffsets } from "../../src/records/locate-pointers.js";

/** A place in a text of several lines, both from 1; columns in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Where the code unit at `offset`, from 0, stands in `text`. */
export function toTextPosition(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * Where the value that `pointer` names begins in the JSON text `text`; where its nearest parent does
 * when there is no such value, as for a property that is missing.
 */
export function locateInText(text: string, pointer: string): TextPosition {
  const parents = pointer
    .split("/")
    .map((_, index, tokens) => tokens.slice(0, index + 1).join("/"));
  return toTextPosition(text, Math.max(0, ...locateOffsets(text, parents)));
}
