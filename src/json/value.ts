/** A JSON object whose fields are not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether `value`, as JSON.parse gives it, is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What one walk over a value finds out, so that most values need no closer look. */
export interface ValueMeasure {
  /** Keys of all objects together. */
  readonly keys: number;
  /** How many arrays and objects stand within each other, the value itself included. */
  readonly depth: number;
  /** Largest magnitude of a number; Infinity for one beyond the range of doubles, 0 without any. */
  readonly largest: number;
}

/** Measures an object or an array that came out of JSON. Does not recurse. */
export function measureValue(root: object): ValueMeasure {
  // Every value of every record passes here, so nothing is made of it that is not needed.
  const queue: object[] = [root];
  let keys = 0;
  let largest = 0;
  let depth = 0;
  // In the queue, what is nested equally deep stands together: here the next level begins.
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

/** Any value that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };
