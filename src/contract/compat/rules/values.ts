import { memoize } from "../../../base/memoize.js";
import type { Occurrence, Place, PlacePair } from "../places/place.js";
import { exactMemberText } from "../schema/exact-numbers.js";
import type { FoundChange, Rule } from "./rule.js";
import { failsAny } from "./violations.js";

/** Changes of `enum` and `const`; the version of the format has a rule of its own, M4. */
export const valueRules: readonly Rule[] = [
  {
    id: "E1",
    name: "enum-changed",
    summary: "The list of allowed values changed.",
    fix: "update readers before any writer uses a new value; remove a value only in a new version",
    find: (pair) => findKind(pair, "enum"),
  },
  {
    id: "E3",
    name: "enum-added-or-removed",
    summary: "A list of allowed values was added or removed.",
    fix: "keep the values, or release a new version of the format",
    find: (pair) => findKind(pair, "enum in one version"),
  },
  {
    id: "E4",
    name: "const-changed",
    summary: "A constant was changed, added or removed.",
    fix: "keep the constant, or release a new version of the format",
    find: (pair) => findKind(pair, "const"),
  },
  {
    id: "E5",
    name: "const-to-enum",
    summary: "A constant became a list of values, or the reverse.",
    fix: "update readers before any writer uses a new value",
    find: (pair) => findKind(pair, "const and enum"),
  },
  {
    id: "E6",
    name: "extensible-enum-changed",
    summary: "The values changed in a list that readers must treat as open (x-extensible-enum).",
    fix: "validators of the old version still reject new values: keep the list out of the schema",
    find: (pair) => findKind(pair, "extensible enum"),
  },
];

type Kind = "enum" | "extensible enum" | "enum in one version" | "const" | "const and enum";

function findKind(pair: PlacePair, kind: Kind): FoundChange[] {
  const change = valueChangeOf(pair);
  if (change === undefined || pair.role === "version" || kindOf(change, pair) !== kind) return [];
  return [toFoundChange(change)];
}

function kindOf({ older, newer }: ValueChange, pair: PlacePair): Kind {
  const keywords = new Set([older, newer].map((each) => each?.keyword));
  if (!keywords.has("enum")) return "const";
  if (keywords.has("const")) return "const and enum";
  if (keywords.has(undefined)) return "enum in one version";
  return isExtensible(pair) ? "extensible enum" : "enum";
}

/** Whether readers must expect further values (`x-extensible-enum`). */
function isExtensible({ old: before, new: after }: PlacePair): boolean {
  return [before, after].some((place) =>
    place.occurrences("x-extensible-enum").some(({ value }) => value === true),
  );
}

/** The change of the format's version; none at other places. */
export function findVersionChange(pair: PlacePair): FoundChange[] {
  const change = valueChangeOf(pair);
  return change === undefined || pair.role !== "version" ? [] : [toFoundChange(change)];
}

/** The values that `enum` and `const` allow at a place. */
interface AllowedValues {
  readonly occurrences: readonly Occurrence[];
  /** Canonical texts, which are equal for equal values. */
  readonly texts: ReadonlySet<string>;
  readonly keyword: "const" | "enum";
}

interface ValueChange {
  readonly older: AllowedValues | undefined;
  readonly newer: AllowedValues | undefined;
  readonly lost: readonly string[];
  readonly gained: readonly string[];
}

/** Undefined if both versions allow the same values by the same keyword. */
const valueChangeOf = memoize((pair: PlacePair): ValueChange | undefined => {
  const [older, newer] = [allowedValues(pair.old), allowedValues(pair.new)];
  if (older === undefined && newer === undefined) return undefined;
  const without = (some?: AllowedValues, others?: AllowedValues): string[] =>
    [...(some?.texts ?? [])].filter((text) => others?.texts.has(text) !== true);
  const lost = without(older, newer);
  const gained = without(newer, older);
  const isSame = lost.length + gained.length === 0 && older?.keyword === newer?.keyword;
  return isSame ? undefined : { older, newer, lost, gained };
});

function allowedValues(place: Place): AllowedValues | undefined {
  const occurrences = [...place.occurrences("const"), ...place.occurrences("enum")];
  const [first, ...others] = occurrences;
  if (first === undefined) return undefined;
  const further = others.map(textsOf);
  const texts = new Set(
    [...textsOf(first)].filter((text) => further.every((each) => each.has(text))),
  );
  return { occurrences, texts, keyword: first.keyword === "const" ? "const" : "enum" };
}

function textsOf({ location, keyword, value }: Occurrence): ReadonlySet<string> {
  const texts =
    keyword === "enum" && Array.isArray(value)
      ? value.map((_, index) => exactMemberText(value, index))
      : [exactMemberText(location.schema, keyword)];
  return new Set(texts);
}

function toFoundChange(change: ValueChange): FoundChange {
  const { older, newer } = change;
  const message = describeChange(change);
  return {
    old: older?.occurrences[0],
    new: newer?.occurrences[0],
    message,
    contract: { old: contractOf(older), new: contractOf(newer) },
    violates: {
      backward: failsAny(newer?.occurrences ?? []),
      forward: failsAny(older?.occurrences ?? []),
    },
    breaksSource: {
      typescript: `the union of values changed: ${message}`,
      python: `the Literal changed: ${message}`,
    },
  };
}

/** Sorted, because the order of values does not matter. */
function contractOf(allowed: AllowedValues | undefined): unknown {
  return allowed && [allowed.keyword, ...[...allowed.texts].sort()];
}

function describeChange({ older, newer, lost, gained }: ValueChange): string {
  if (older === undefined) return `is now limited to ${describeValues(gained)}`;
  if (newer === undefined) return `is no longer limited to ${describeValues(lost)}`;
  const parts = [
    ...(lost.length > 0 ? [`no longer allows ${describeValues(lost)}`] : []),
    ...(gained.length > 0 ? [`now allows ${describeValues(gained)}`] : []),
  ];
  return parts.length > 0 ? parts.join(", and ") : "allows the same values by another keyword";
}

function describeValues(values: readonly string[]): string {
  const shown = values.slice(0, 5);
  return values.length > shown.length ? `${shown.join(", ")}, ...` : shown.join(", ");
}
