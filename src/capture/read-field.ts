import { SNAPSHOT_MARKS } from "./to-snapshot.js";

/**
 * A field of anything, without throwing: undefined when there is none, and a text of SNAPSHOT_MARKS when
 * reading it throws.
 */
export function readField(given: unknown, key: string): unknown {
  if (typeof given !== "object" || given === null) return undefined;
  try {
    return Reflect.get(given, key);
  } catch {
    return SNAPSHOT_MARKS.unreadable;
  }
}
