import { isJsonObject, type JsonObject } from "./value.js";

/**
 * Tells whether two parsed JSON values are equal: objects by key, regardless of order; arrays in order; numbers by
 * value. A field that is undefined is absent. Takes linear time and does not recurse.
 */
export function isSameJson(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (const [index, element] of a.entries()) pending.push([element, b[index]]);
    } else if (isJsonObject(a) && isJsonObject(b)) {
      const keys = definedKeys(a);
      if (keys.length !== definedKeys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pending.push([a[key], b[key]]);
      }
    } else {
      return false;
    }
  }
  return true;
}

function definedKeys(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
