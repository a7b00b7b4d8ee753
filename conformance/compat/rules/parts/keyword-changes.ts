import type { Occurrence } from "../../places/place.js";
import type { PlacePair } from "../../places/place-pair.js";
import type { FoundChange } from "../rule.js";
import { changedInPlace, differencesOf } from "./differences.js";
import { fails } from "./violations.js";

/** What became of a keyword whose change needs no words of its own. */
export function keywordChanges(pair: PlacePair, keyword: string): FoundChange[] {
  const difference = differencesOf(pair, keyword);
  const changed = changedInPlace(difference);
  if (changed !== undefined) return [toKeywordFinding({ older: changed[0], newer: changed[1] })];
  return [
    ...difference.removed.map((older) => toKeywordFinding({ older })),
    ...difference.added.map((newer) => toKeywordFinding({ newer })),
  ];
}

/** Only where one version does without the keyword. */
export function presenceChanges(pair: PlacePair, keyword: string): FoundChange[] {
  const places = [pair.old, pair.new].map((place) => place.occurrences(keyword).length);
  return places.includes(0) ? keywordChanges(pair, keyword) : [];
}

export function toKeywordFinding(sides: {
  readonly older?: Occurrence;
  readonly newer?: Occurrence;
}): FoundChange {
  const { older, newer } = sides;
  return {
    old: older,
    new: newer,
    message: describe(older, newer),
    violates: {
      ...(newer !== undefined && { backward: fails(newer) }),
      ...(older !== undefined && { forward: fails(older) }),
    },
  };
}

function describe(older: Occurrence | undefined, newer: Occurrence | undefined): string {
  if (older === undefined) return `has ${show(newer)} now`;
  if (newer === undefined) return `has no ${show(older)} any more`;
  const [was, is] = [show(older), show(newer)];
  return was === is ? `has another ${was}` : `was ${was}, is ${is}`;
}

/** A value that is long, as most schemas are, is not shown. */
function show(occurrence: Occurrence | undefined): string {
  if (occurrence === undefined) return "";
  const text = JSON.stringify(occurrence.value);
  return text.length > 60 ? occurrence.keyword : `${occurrence.keyword} ${text}`;
}
