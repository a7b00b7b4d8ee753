import { toPointerToken } from "./pointer.js";
import { isJsonObject, type JsonObject } from "./value.js";

/** One location at which two JSON values differ. */
export interface JsonDifference {
  /** JSON Pointer (RFC 6901). If only one array has the element, its index in that array. */
  readonly pointer: string;
  /** The value there; undefined if there is none. */
  readonly left: unknown;
  readonly right: unknown;
}

/**
 * Returns the innermost differences between two JSON values, in the order of `left`; empty if they are equal.
 * Objects are compared by key, regardless of order; arrays are compared in order. If two arrays differ in
 * length, their common prefix and suffix are skipped first, so that one inserted element is one difference.
 */
export function findJsonDifferences(left: unknown, right: unknown): JsonDifference[] {
  const differences: JsonDifference[] = [];
  // An explicit stack: values may be nested more deeply than the call stack allows.
  const pending: JsonDifference[] = [{ pointer: "", left, right }];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const parts = toParts(pair);
    for (const part of parts?.toReversed() ?? []) pending.push(part);
    const isSame = parts !== undefined || Object.is(pair.left, pair.right);
    if (!isSame) differences.push(pair);
  }
  return differences;
}

/** Pairs up the members of two objects or the elements of two arrays. Undefined for any other two values. */
function toParts({ pointer, left, right }: JsonDifference): JsonDifference[] | undefined {
  if (Array.isArray(left) && Array.isArray(right)) return toElements(left, right, pointer);
  if (!isJsonObject(left) || !isJsonObject(right)) return undefined;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].map((key) => ({
    pointer: `${pointer}/${toPointerToken(key)}`,
    left: own(left, key),
    right: own(right, key),
  }));
}

/** Own properties only: a key may be called `constructor`. */
function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function toElements(
  left: readonly unknown[],
  right: readonly unknown[],
  pointer: string,
): JsonDifference[] {
  const [start, end] = left.length === right.length ? [0, 0] : countSame(left, right);
  const length = Math.max(left.length, right.length) - start - end;
  // Elements beyond this end belong to the common suffix and have no counterpart.
  const at = (array: readonly unknown[], index: number): unknown =>
    index < array.length - end ? array[index] : undefined;
  return Array.from({ length }, (_, offset) => {
    const index = start + offset;
    return { pointer: `${pointer}/${index}`, left: at(left, index), right: at(right, index) };
  });
}

/** Lengths of the common prefix and of the common suffix of two arrays. */
function countSame(left: readonly unknown[], right: readonly unknown[]): [number, number] {
  const isSame = (a: unknown, b: unknown): boolean => findJsonDifferences(a, b).length === 0;
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && isSame(left[start], right[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(left.at(-1 - end), right.at(-1 - end))) end += 1;
  return [start, end];
}
