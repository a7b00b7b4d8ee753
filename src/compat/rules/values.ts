import { toCanonicalText } from "../../schemas/json-text.js";
import type { Occurrence, Place, PlacePair } from "../places/place.js";
import { isEqual } from "../solver/values.js";
import { type FoundChange, failsAny, type Rule } from "./rule.js";

export const enumChanged: Rule = {
  id: "E1",
  name: "enum-changed",
  summary: "Other values are allowed.",
  mend: "readers have to know a value before any writer uses it; a value is removed with a new version only",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return older?.keyword === "enum" && newer?.keyword === "enum" && !isExtensible(pair)
      ? [toValueFinding(change)]
      : [];
  },
};

export const enumAddedOrRemoved: Rule = {
  id: "E3",
  name: "enum-added-or-removed",
  summary: "The values are limited now, or no longer.",
  mend: "keep the values, or release a new version of the format",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return (older === undefined && newer?.keyword === "enum") ||
      (newer === undefined && older?.keyword === "enum")
      ? [toValueFinding(change)]
      : [];
  },
};

export const constChanged: Rule = {
  id: "E4",
  name: "const-changed",
  summary: "The one value that is allowed is another, is demanded now, or no longer.",
  mend: "keep the constant, or release a new version of the format",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return older?.keyword !== "enum" && newer?.keyword !== "enum" ? [toValueFinding(change)] : [];
  },
};

export const constToEnum: Rule = {
  id: "E5",
  name: "const-to-enum",
  summary: "A constant became a list of values, or a list a constant.",
  mend: "readers have to know a value before any writer uses it",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return older !== undefined && newer !== undefined && older.keyword !== newer.keyword
      ? [toValueFinding(change)]
      : [];
  },
};

export const extensibleEnumChanged: Rule = {
  id: "E6",
  name: "extensible-enum-changed",
  summary: "Other values are in a list that readers are to take as open (x-extensible-enum).",
  mend: "validators of the old version reject the new values all the same: keep the list out of the schema",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return older?.keyword === "enum" && newer?.keyword === "enum" && isExtensible(pair)
      ? [toValueFinding(change)]
      : [];
  },
};

/** The values to which `enum` and `const` limit a place. */
export interface AllowedValues {
  readonly occurrences: readonly Occurrence[];
  readonly values: readonly unknown[];
  readonly keyword: "const" | "enum";
}

export interface ValueChange {
  readonly older: AllowedValues | undefined;
  readonly newer: AllowedValues | undefined;
  readonly lost: readonly unknown[];
  readonly gained: readonly unknown[];
}

/** Undefined when neither version limits the values, or both to the same by the same keyword. */
export function valueChangeOf(pair: PlacePair): ValueChange | undefined {
  const [older, newer] = [allowedValues(pair.old), allowedValues(pair.new)];
  if (older === undefined && newer === undefined) return undefined;
  const without = (some: readonly unknown[], others: readonly unknown[]): unknown[] =>
    some.filter((value) => !others.some((other) => isEqual(value, other)));
  const lost = without(older?.values ?? [], newer?.values ?? []);
  const gained = without(newer?.values ?? [], older?.values ?? []);
  const isSame = lost.length + gained.length === 0 && older?.keyword === newer?.keyword;
  return isSame ? undefined : { older, newer, lost, gained };
}

/** Whether a place holds the version of the format: a constant that every breaking change replaces. */
export function isVersionPlace({ path }: PlacePair): boolean {
  return /^([a-z]+_)?version$/.test(path.at(-1) ?? "");
}

export function toValueFinding(change: ValueChange): FoundChange {
  const { older, newer } = change;
  const message = describeChange(change);
  return {
    old: older?.occurrences[0],
    new: newer?.occurrences[0],
    message,
    says: { old: saidBy(older), new: saidBy(newer) },
    violates: {
      backward: failsAny(newer?.occurrences ?? []),
      forward: failsAny(older?.occurrences ?? []),
    },
    breaksSource: {
      typescript: `the union of values is another one: ${message}`,
      python: `the Literal is another one: ${message}`,
    },
  };
}

/** The order means nothing. */
function saidBy(allowed: AllowedValues | undefined): unknown {
  return allowed && [allowed.keyword, ...allowed.values.map(toCanonicalText).sort()];
}

/** Whether readers are told to take values that they do not know (`x-extensible-enum`). */
export function isExtensible({ old: before, new: after }: PlacePair): boolean {
  return [before, after].some((place) =>
    place.occurrences("x-extensible-enum").some(({ value }) => value === true),
  );
}

function describeChange({ older, newer, lost, gained }: ValueChange): string {
  if (older === undefined) return `is limited to ${describeValues(gained)} now`;
  if (newer === undefined) return `is limited to ${describeValues(lost)} no longer`;
  const parts = [
    ...(lost.length > 0 ? [`no longer allows ${describeValues(lost)}`] : []),
    ...(gained.length > 0 ? [`allows ${describeValues(gained)} now`] : []),
  ];
  return parts.length > 0 ? parts.join(", and ") : "allows the same values in another way";
}

function describeValues(values: readonly unknown[]): string {
  const shown = values.slice(0, 5).map((value) => JSON.stringify(value));
  return values.length > shown.length ? `${shown.join(", ")}, ...` : shown.join(", ");
}

function allowedValues(place: Place): AllowedValues | undefined {
  const occurrences = [...place.occurrences("const"), ...place.occurrences("enum")];
  const [first, ...others] = occurrences;
  if (first === undefined) return undefined;
  const values = others.reduce<readonly unknown[]>(
    (left, other) => left.filter((value) => valuesOf(other).some((each) => isEqual(value, each))),
    valuesOf(first),
  );
  return { occurrences, values, keyword: first.keyword === "const" ? "const" : "enum" };
}

function valuesOf({ keyword, value }: Occurrence): readonly unknown[] {
  return keyword === "enum" && Array.isArray(value) ? value : [value];
}
