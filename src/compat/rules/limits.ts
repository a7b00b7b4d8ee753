import type { Occurrence, Place, PlacePair } from "../places/place.js";
import { type FoundChange, fails, keywordChanges, type Rule } from "./rule.js";
import { isWhole } from "./types.js";

export const multipleChanged: Rule = {
  id: "N3",
  name: "multiple-changed",
  summary: "Numbers have to be multiples of another one.",
  mend: "keep the step, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "multipleOf");
  },
};

export const lengthChanged: Rule = {
  id: "S1",
  name: "length-changed",
  summary: "Texts of other lengths are allowed.",
  mend: "keep the limit, or release a new version of the format",
  find(pair) {
    return limitChanges(pair, LIMITS).map(toLimitFinding);
  },
};

const LIMITS: readonly Limit[] = [
  { keywords: ["minLength"], end: "least", byDefault: 0 },
  { keywords: ["maxLength"], end: "most" },
];

/** A limit that became another one. */
export interface LimitChange {
  readonly older: Occurrence | undefined;
  readonly newer: Occurrence | undefined;
  readonly isTightened: boolean;
}

/** Keywords that say together how small a value may be, or how large. */
export interface Limit {
  readonly keywords: readonly string[];
  readonly end: "least" | "most";
  /** What holds where the keyword is not there; no limit unless it is given. */
  readonly byDefault?: number;
}

/** How large and how small numbers may be. */
export const NUMBER_LIMITS: readonly Limit[] = [
  { keywords: ["minimum", "exclusiveMinimum"], end: "least" },
  { keywords: ["maximum", "exclusiveMaximum"], end: "most" },
];

/** The limits that changed at a place. `isWhole`: of whole numbers. */
export function limitChanges(
  pair: PlacePair,
  limits: readonly Limit[],
  isWhole = true,
): LimitChange[] {
  return limits.flatMap((limit) => limitChangeOf(pair, limit, isWhole) ?? []);
}

/** How a limit changed at a place; undefined when it lets the same through. `isWhole`: of whole numbers. */
export function limitChangeOf(
  pair: PlacePair,
  limit: Limit,
  isWhole = true,
): LimitChange | undefined {
  const [older, newer] = [strictest(pair.old, limit, isWhole), strictest(pair.new, limit, isWhole)];
  const sign = limit.end === "least" ? 1 : -1;
  const none = limit.byDefault ?? -sign * Number.POSITIVE_INFINITY;
  const [from, to] = [older?.rank ?? [none, 0], newer?.rank ?? [none, 0]];
  const difference = sign * (to[0] - from[0]) || to[1] - from[1];
  // Without a limit on either side the difference is that of two infinities.
  if (difference === 0 || Number.isNaN(difference)) return undefined;
  return { older: older?.occurrence, newer: newer?.occurrence, isTightened: difference > 0 };
}

export function toLimitFinding({ older, newer }: LimitChange): FoundChange {
  const say = (each: Occurrence | undefined): string =>
    each === undefined ? "no limit" : `${each.keyword} ${JSON.stringify(each.value)}`;
  return {
    old: older,
    new: newer,
    message: `was ${say(older)}, is ${say(newer)}`,
    violates: {
      ...(newer !== undefined && { backward: fails(newer) }),
      ...(older !== undefined && { forward: fails(older) }),
    },
  };
}

/** A bound, and 1 where it is itself out of bounds. */
type Rank = readonly [bound: number, exclusive: 0 | 1];

function strictest(
  place: Place,
  { keywords, end }: Limit,
  isWhole: boolean,
): { readonly occurrence: Occurrence; readonly rank: Rank } | undefined {
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

export const rangeTightened: Rule = {
  id: "N1",
  name: "range-tightened",
  summary: "Fewer numbers are allowed.",
  mend: "keep the range, or release a new version of the format",
  find(pair) {
    return limitChanges(pair, NUMBER_LIMITS, isWhole(pair))
      .filter(({ isTightened }) => isTightened)
      .map(toLimitFinding);
  },
};

export const rangeRelaxed: Rule = {
  id: "N2",
  name: "range-relaxed",
  summary: "More numbers are allowed.",
  mend: "let readers take the new numbers before any writer uses them",
  find(pair) {
    return limitChanges(pair, NUMBER_LIMITS, isWhole(pair))
      .filter(({ isTightened }) => !isTightened)
      .map(toLimitFinding);
  },
};
