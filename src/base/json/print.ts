import { escapeControls } from "../text.js";
import { toPointerToken } from "./pointer.js";
import { scanJson } from "./tokens.js";
import { measureValue } from "./value.js";

/**
 * Prints `value` as indented JSON that is safe on a terminal and ends in a newline. Control characters are
 * written as `\uXXXX`, which means the same inside a JSON string.
 */
export function toSafeJson(value: object): string {
  // Line by line, so that the newlines between lines are not escaped.
  const lines = JSON.stringify(value, null, 2).split("\n").map(escapeControls);
  return `${lines.join("\n")}\n`;
}

/**
 * Prints a JSON value without spaces, as JSON.stringify does, but numbers from 2^53 with an exponent. JSON.stringify
 * prints 1e20 as an integer, which Python does not round to a double, so the rule `safe-integer` rejects it.
 *
 * Throws as JSON.stringify does.
 */
export function printJson(value: unknown): string {
  const text = JSON.stringify(value);
  const { largest } = measureValue([value]);
  return largest <= Number.MAX_SAFE_INTEGER ? text : useExponents(text);
}

function useExponents(text: string): string {
  let printed = "";
  let done = 0;
  for (const { kind, start, end } of scanJson(text)) {
    if (kind !== "number") continue;
    const number = Number(text.slice(start, end));
    if (!Number.isInteger(number) || Number.isSafeInteger(number)) continue;
    printed += text.slice(done, start) + number.toExponential();
    done = end;
  }
  return printed + text.slice(done);
}

/**
 * Prints records as JSON Lines: one record per line, each line ending in "\n"; "" for no records. Keys keep the
 * order of the record.
 *
 * Throws TypeError with the record's index and the pointer if JSON cannot represent a value. JSON.stringify
 * alone would silently write Infinity as null and a Map as {}.
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

/** Throws on cycles, bigints and nesting beyond the stack, so that the search below need not handle them. */
function stringify(record: object, index: number): string {
  try {
    return printJson(record);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`record ${index}: JSON cannot hold it: ${reason}`, { cause });
  }
}

/** A value that JSON.stringify would silently drop or change. */
interface Unwritable {
  /** JSON Pointer (RFC 6901) of the value; "" is the root. */
  readonly pointer: string;
  /** Describes the value in a message. */
  readonly what: string;
}

/**
 * Returns the first value in `value` that JSON cannot represent; undefined if there is none. JSON represents
 * strings, finite numbers, booleans, null, arrays and plain objects. An undefined property counts as absent and
 * passes; an undefined array element does not. `value` must not contain cycles.
 */
export function findUnwritable(value: unknown): Unwritable | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { pointer: "", what: String(value) };
  }
  if (typeof value !== "object") return { pointer: "", what: `a value of type ${typeof value}` };
  if (Array.isArray(value)) return findInEntries(value.entries());
  if (!isPlain(value)) return { pointer: "", what: "an object that is not a plain object" };
  return findInEntries(Object.entries(value).filter(([, child]) => child !== undefined));
}

/**
 * Checks the length of the prototype chain instead of comparing with `Object.prototype`: every realm (a vm, a
 * frame) has its own.
 */
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
