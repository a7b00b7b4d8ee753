import { findUnwritable } from "./find-unwritable.js";

/**
 * JSON Lines: one record per line, each line ending in "\n"; "" for no records. Keys stand in the
 * order that the records have them.
 *
 * Throws TypeError, with the number of the record and the place in it, for a record that JSON cannot
 * hold: JSON.stringify alone would write Infinity as null and a Map as {} without a word.
 */
export function toJsonl(records: Iterable<object>): string {
  let text = "";
  let index = 0;
  for (const record of records) {
    text += `${toLine(record, index)}\n`;
    index += 1;
  }
  return text;
}

function toLine(record: object, index: number): string {
  const line = stringify(record, index);
  const unwritable = findUnwritable(record);
  if (unwritable !== undefined) {
    const { pointer, what } = unwritable;
    throw new TypeError(`record ${index}: JSON cannot hold ${what} at "${pointer}"`);
  }
  return line;
}

/** Fails on cycles, on bigints and on nesting beyond the stack, so that the search need not. */
function stringify(record: object, index: number): string {
  try {
    return JSON.stringify(record);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`record ${index}: JSON cannot hold it: ${reason}`, { cause });
  }
}
