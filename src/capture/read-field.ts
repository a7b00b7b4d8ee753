/** What a field is that throws when it is read. */
export const UNREADABLE: unique symbol = Symbol("unreadable");

/** A field of anything, without throwing: undefined when there is none. */
export function readField(given: unknown, key: string): unknown {
  if (typeof given !== "object" || given === null) return undefined;
  try {
    return Reflect.get(given, key);
  } catch {
    return UNREADABLE;
  }
}
