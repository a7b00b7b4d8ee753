import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject } from "../src/records/json-object.js";
import { toPointerToken } from "../src/records/resolve-pointer.js";

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
 * equal. Objects are compared by key, whatever their order. Of arrays, what they begin and end with
 * alike is set aside, so that one element more is one difference; what is left is compared in order.
 */
export function findJsonDifferences(left: unknown, right: unknown, pointer = ""): JsonDifference[] {
  if (isDeepStrictEqual(left, right)) return [];
  if (Array.isArray(left) && Array.isArray(right)) return compareArrays(left, right, pointer);
  if (isJsonObject(left) && isJsonObject(right)) return compareObjects(left, right, pointer);
  return [{ pointer, left, right }];
}

function compareObjects(left: JsonObject, right: JsonObject, pointer: string): JsonDifference[] {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) =>
    findJsonDifferences(own(left, key), own(right, key), `${pointer}/${toPointerToken(key)}`),
  );
}

/** Not what every object inherits: a key may be called `constructor`. */
function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function compareArrays(
  left: readonly unknown[],
  right: readonly unknown[],
  pointer: string,
): JsonDifference[] {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && isDeepStrictEqual(left[start], right[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isDeepStrictEqual(left.at(-1 - end), right.at(-1 - end)))
    end += 1;
  const [leftEnd, rightEnd] = [left.length - end, right.length - end];
  const differences: JsonDifference[] = [];
  for (let index = start; index < Math.max(leftEnd, rightEnd); index += 1) {
    const at = `${pointer}/${index}`;
    // Behind its end an array holds what both end with: that is no counterpart.
    const [a, b] = [
      index < leftEnd ? left[index] : undefined,
      index < rightEnd ? right[index] : undefined,
    ];
    differences.push(...findJsonDifferences(a, b, at));
  }
  return differences;
}
