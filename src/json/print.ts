import { escapeControls } from "../text.js";
import { toPointerToken } from "./pointer.js";

/**
 * `value` as indented JSON that is safe on a terminal and ends in a newline. What a terminal obeys is
 * written as `\uXXXX`, which inside a string is the same character.
 */
export function toSafeJson(value: object): string {
  // Line by line, so that the layout stays.
  const lines = JSON.stringify(value, null, 2).split("\n").map(escapeControls);
  return `${lines.join("\n")}\n`;
}

/**
 * JSON Lines: one record per line, each line ending in "\n"; "" for no records. Keys stand in the
 * order that the records have them.
 *
 * Throws TypeError, with the number of the record and the place in it, for a record that JSON cannot
 * hold: JSON.stringify alone would write Infinity as null and a Map as {} silently.
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

/** A value that JSON.stringify would silently drop or change. */
interface Unwritable {
  /** JSON Pointer (RFC 6901) of the value; "" is the root. */
  readonly pointer: string;
  /** What the value is, for a message. */
  readonly what: string;
}

/**
 * The first value in `value` that JSON cannot hold; undefined when there is none. JSON holds strings,
 * finite numbers, booleans, null, arrays and plain objects. A property that is undefined is absent
 * and passes; an undefined element of an array does not. `value` must have no cycles.
 */
export function findUnwritable(value: unknown): Unwritable | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { pointer: "", what: String(value) };
  }
  if (typeof value !== "object") return { pointer: "", what: `a value of type ${typeof value}` };
  if (Array.isArray(value)) return findInEntries(value.entries());
  if (!isPlain(value)) return { pointer: "", what: "an object that is no plain object" };
  return findInEntries(Object.entries(value).filter(([, child]) => child !== undefined));
}

/** By the chain's length and not by `Object.prototype`, which every realm (a vm, a frame) has its own of. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function findInEntries(
  entries: Iterable<readonly [string | number, unknown]>,
): Unwritable | undefined {
  for (const [key, child] of entries) {
    const found = findUnwritable(child);
    if (found !== undefined)
      return { ...found, pointer: `/${toPointerToken(key)}${found.pointer}` };
  }
  return undefined;
}
