import { type Place, recordFields } from "#generated/redaction.js";

export type { Place };

const OPEN: Place = { kind: "open" };

/** A record of any of our types, or a part of one. */
export const RECORD: Place = { kind: "object", fields: recordFields };

/** A list of records. */
export const RECORD_LIST: Place = { kind: "list", element: RECORD };

/** Tells whether the schema fixes this value at its place, so that it cannot be a secret. */
export function isFixed(value: unknown, place: Place): boolean {
  if (place.kind !== "fixed") return false;
  if (typeof value === "number") return place.numbers === true;
  if (typeof value !== "string") return false;
  return (
    place.words?.includes(value) === true ||
    place.patterns?.some((pattern) => toRegExp(pattern).test(value)) === true
  );
}

const compiled = new Map<string, RegExp>();

function toRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const created = new RegExp(pattern, "u");
  compiled.set(pattern, created);
  return created;
}

/** The place of a field or of an element. */
export function placeWithin(place: Place, at: string | number): Place {
  if (place.kind === "list") return place.element;
  if (place.kind === "measures") return place;
  if (place.kind !== "object" || !Object.hasOwn(place.fields, at)) return OPEN;
  return place.fields[at] ?? OPEN;
}
