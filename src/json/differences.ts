import { toPointerToken } from "./pointer.js";
import { isJsonObject, type JsonObject } from "./value.js";

/** One place at which two JSON values differ. */
export interface JsonDifference {
  /** JSON Pointer (RFC 6901) of the place; an element of but one array stands at its index there. */
  readonly pointer: string;
  /** The value there; undefined when there is none. */
  readonly left: unknown;
  readonly right: unknown;
}

/**
 * The innermost places at which two JSON values differ, in the order of `left`; none when they are
 * equal. Objects are compared by key, whatever their order, and arrays in order. Of arrays that are not
 * equally long, what they begin and end with alike is set aside, so that one element more is one
 * difference.
 */
export function findJsonDifferences(left: unknown, right: unknown): JsonDifference[] {
  const differences: JsonDifference[] = [];
  // A stack of its own, since values may be nested more deeply than that of the program is.
  const pending: JsonDifference[] = [{ pointer: "", left, right }];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const parts = toParts(pair);
    for (const part of parts?.toReversed() ?? []) pending.push(part);
    const isSame = parts !== undefined || Object.is(pair.left, pair.right);
    if (!isSame) differences.push(pair);
  }
  return differences;
}

/** The pairs of values in two objects or two arrays; undefined for any other two values. */
function toParts({ pointer, left, right }: JsonDifference): JsonDifference[] | undefined {
  if (Array.isArray(left) && Array.isArray(right)) return toElements(left, right, pointer);
  if (!isJsonObject(left) || !isJsonObject(right)) return undefined;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].map((key) => ({
    pointer: `${pointer}/${toPointerToken(key)}`,
    left: own(left, key),
    right: own(right, key),
  }));
}

/** Not what every object inherits: a key may be called `constructor`. */
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
  // Behind its end an array holds what both end with: that is no counterpart.
  const at = (array: readonly unknown[], index: number): unknown =>
    index < array.length - end ? array[index] : undefined;
  return Array.from({ length }, (_, offset) => {
    const index = start + offset;
    return { pointer: `${pointer}/${index}`, left: at(left, index), right: at(right, index) };
  });
}

/** How many elements two arrays begin with alike, and how many of the others they end with alike. */
function countSame(left: readonly unknown[], right: readonly unknown[]): [number, number] {
  const isSame = (a: unknown, b: unknown): boolean => findJsonDifferences(a, b).length === 0;
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && isSame(left[start], right[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(left.at(-1 - end), right.at(-1 - end))) end += 1;
  return [start, end];
}
