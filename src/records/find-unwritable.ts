import { toPointerToken } from "./resolve-pointer.js";

/** A value that JSON.stringify would drop or change without a word. */
export interface Unwritable {
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
