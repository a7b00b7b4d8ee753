import { toCanonicalText } from "../../../hashes/to-canonical-text.js";
import type { Occurrence, Place } from "../../places/place.js";
import type { PlacePair } from "../../places/place-pair.js";
import { isEqual } from "../../satisfiability/json-type.js";
import type { FoundChange } from "../rule.js";
import { failsAny } from "./violations.js";

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
