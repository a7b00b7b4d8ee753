import type { Occurrence, Place, PlacePair } from "../places/place.js";
import { compareDecimals, exactMemberText, toDecimalText } from "../schema/exact-numbers.js";
import { failsEach, printValue } from "./keyword-changes.js";
import type { FoundChange } from "./rule.js";

/** Keywords that together bound a value from below, or from above. */
export interface Limit {
  readonly keywords: readonly string[];
  readonly end: "least" | "most";
  /** The bound if no keyword is present; none by default. */
  readonly byDefault?: number;
}

export interface LimitOptions {
  /** Whether only whole numbers are bounded, so that "above 1" is "at least 2". */
  readonly isWhole?: boolean;
  /** Reports only limits that became tighter, or only those that became looser. */
  readonly only?: "tightened" | "relaxed";
}

/** The limits that changed at a place. */
export function findLimitChanges(
  pair: PlacePair,
  limits: readonly Limit[],
  { isWhole = true, only }: LimitOptions = {},
): FoundChange[] {
  return limits.flatMap((limit) => {
    const change = limitChangeOf(pair, limit, isWhole);
    if (change === undefined || (only !== undefined && only !== change.kind)) return [];
    const { older, newer } = change;
    const message = `was ${describe(older)}, is ${describe(newer)}`;
    return [{ old: older, new: newer, message, violates: failsEach(older, newer) }];
  });
}

interface LimitChange {
  readonly older: Occurrence | undefined;
  readonly newer: Occurrence | undefined;
  readonly kind: "tightened" | "relaxed";
}

/** Undefined if both versions let the same values through. */
function limitChangeOf(pair: PlacePair, limit: Limit, isWhole: boolean): LimitChange | undefined {
  const [older, newer] = [strictest(pair.old, limit, isWhole), strictest(pair.new, limit, isWhole)];
  if (older === undefined && newer === undefined) return undefined;
  const sign = limit.end === "least" ? 1 : -1;
  const none = limit.byDefault ?? -sign * Number.POSITIVE_INFINITY;
  const [from, to] = [older?.rank ?? [none, 0], newer?.rank ?? [none, 0]];
  const difference =
    sign * (to[0] - from[0]) || to[1] - from[1] || sign * compareDigits(newer, older);
  // The difference of two infinities is not a number.
  if (difference === 0 || Number.isNaN(difference)) return undefined;
  const kind = difference > 0 ? "tightened" : "relaxed";
  return { older: older?.occurrence, newer: newer?.occurrence, kind };
}

function describe(occurrence: Occurrence | undefined): string {
  if (occurrence === undefined) return "no limit";
  return `${occurrence.keyword} ${printValue(occurrence)}`;
}

/** The order of bounds that are the same double; 0 if they are the same number. */
function compareDigits(one: Ranked | undefined, other: Ranked | undefined): number {
  if (one === undefined || other === undefined) return 0;
  const digitsOf = ({ occurrence: { location, keyword } }: Ranked): string =>
    toDecimalText(exactMemberText(location.schema, keyword));
  return compareDecimals(digitsOf(one), digitsOf(other));
}

/** A bound, and 1 if the bound itself is excluded. */
type Rank = readonly [bound: number, exclusive: 0 | 1];

interface Ranked {
  readonly occurrence: Occurrence;
  readonly rank: Rank;
}

function strictest(place: Place, { keywords, end }: Limit, isWhole: boolean): Ranked | undefined {
  const sign = end === "least" ? 1 : -1;
  const ranked = keywords
    .flatMap((keyword) => place.occurrences(keyword))
    .map((occurrence) => ({ occurrence, rank: rankOf(occurrence, sign, isWhole) }));
  return ranked.sort(
    ({ rank: one }, { rank: other }) => sign * (other[0] - one[0]) || other[1] - one[1],
  )[0];
}

function rankOf({ keyword, value }: Occurrence, sign: number, isWhole: boolean): Rank {
  const isExclusive = keyword.startsWith("exclusive");
  const bound = Number(value);
  if (!isWhole) return [bound, isExclusive ? 1 : 0];
  const next = sign > 0 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
  return [isExclusive ? next : sign > 0 ? Math.ceil(bound) : Math.floor(bound), 0];
}
