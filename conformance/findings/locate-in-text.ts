import { locateOffsets } from "../../src/json/pointer.js";

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
