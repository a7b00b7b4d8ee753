/** A JSON object whose fields are not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells whether `value`, as returned by JSON.parse, is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a JSON text, as JSON.parse does; undefined if it is not JSON. */
export function tryParseJson(text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

/** Measurements from one pass over a value. Most values then need no closer look. */
export interface ValueMeasure {
  /** Number of keys in all objects together. */
  readonly keys: number;
  /** Nesting depth of arrays and objects, including the value itself. */
  readonly depth: number;
  /** Largest magnitude of a number: Infinity for one beyond the range of a double, 0 if there are none. */
  readonly largest: number;
}

/** Measures a parsed JSON object or array. Does not recurse. */
export function measureValue(root: object): ValueMeasure {
  // Hot path: every value of every record passes through here, so it allocates as little as possible.
  const queue: object[] = [root];
  let keys = 0;
  let largest = 0;
  let depth = 0;
  // Values of equal depth are adjacent in the queue. The next level begins here.
  let nextLevel = 0;
  for (let at = 0; at < queue.length; at += 1) {
    if (at === nextLevel) {
      depth += 1;
      nextLevel = queue.length;
    }
    const parent: unknown = queue[at];
    if (Array.isArray(parent)) {
      for (let index = 0; index < parent.length; index += 1) {
        const child: unknown = parent[index];
        if (isContainer(child)) queue.push(child);
        else largest = Math.max(largest, magnitude(child));
      }
    } else if (isJsonObject(parent)) {
      for (const key in parent) {
        const child = parent[key];
        keys += 1;
        if (isContainer(child)) queue.push(child);
        else largest = Math.max(largest, magnitude(child));
      }
    }
  }
  return { keys, depth, largest };
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function magnitude(value: unknown): number {
  return typeof value === "number" ? Math.abs(value) : 0;
}

/** Any value that JSON can represent. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };

/** Types of JSON values that a shape distinguishes, in the order of their bits in the table of the scan. */
export const SHAPE_TYPES = [
  "string",
  "number",
  "boolean",
  "null",
  "object",
  "array",
  "integer",
] as const;
