import { isJsonObject } from "../../../src/base/json/value.js";

/** `datasets` rewrites every number in a record with a Json column, with ten decimals. */
const TOLERANCE = 1e-10;

/** The place of a record in a list of records. */
const RECORD = /^\/\d+$/;

/**
 * JSON Pointer to the first difference between two lists of records; undefined if they are equal. A column that a
 * record lacks is read as null.
 */
export function findDifference(written: unknown, read: unknown, pointer = ""): string | undefined {
  if (typeof written === "number" && typeof read === "number") {
    return Math.abs(written - read) <= TOLERANCE ? undefined : pointer;
  }
  const [left, right] = [toEntries(written), toEntries(read)];
  if (left === undefined || right === undefined) return written === read ? undefined : pointer;
  if (RECORD.test(pointer)) {
    for (const [key, value] of right) if (value === null && !left.has(key)) right.delete(key);
  }
  if (Array.isArray(written) !== Array.isArray(read) || left.size !== right.size) return pointer;
  for (const [key, value] of left) {
    if (!right.has(key)) return `${pointer}/${key}`;
    const found = findDifference(value, right.get(key), `${pointer}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toEntries(value: unknown): Map<string, unknown> | undefined {
  return Array.isArray(value) || isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
}
