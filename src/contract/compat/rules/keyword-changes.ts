import type { Occurrence, PlacePair } from "../places/place.js";
import { carryExactNumbers, exactMemberText, exactNumber } from "../schema/exact-numbers.js";
import { HOLE, LEAVES_UNEVALUATED, WRITTEN_WHOLE } from "../schema/schema-set.js";
import type { Formula } from "../solver/logic/formula.js";
import { isAnnotation } from "../solver/to-formula.js";
import type { FoundChange } from "./rule.js";
import { fails } from "./violations.js";

/** The changes of one keyword at a place: added, removed or changed. */
export function keywordChanges(pair: PlacePair, keyword: string): FoundChange[] {
  const difference = differencesOf(pair, keyword);
  const changed = changedInPlace(difference);
  if (changed === undefined) return oneSidedChanges(difference);
  return [toKeywordChange({ older: changed[0], newer: changed[1] })];
}

/** The same, but only if one version does not have the keyword. */
export function presenceChanges(pair: PlacePair, keyword: string): FoundChange[] {
  const counts = [pair.old, pair.new].map((place) => place.occurrences(keyword).length);
  return counts.includes(0) ? keywordChanges(pair, keyword) : [];
}

/** A change for each occurrence that only one version has. */
export function oneSidedChanges({ removed, added }: Difference): FoundChange[] {
  return [
    ...removed.map((older) => toKeywordChange({ older })),
    ...added.map((newer) => toKeywordChange({ newer })),
  ];
}

/** One change of a keyword, with the values that violate it. */
export function toKeywordChange({
  older,
  newer,
}: {
  readonly older?: Occurrence;
  readonly newer?: Occurrence;
}): FoundChange {
  return {
    old: older,
    new: newer,
    message: describe(older, newer),
    violates: failsEach(older, newer),
  };
}

/** The values that violate the keyword as each version has it. */
export function failsEach(
  older: Occurrence | undefined,
  newer: Occurrence | undefined,
): { readonly backward?: Formula; readonly forward?: Formula } {
  return {
    ...(newer !== undefined && { backward: fails(newer) }),
    ...(older !== undefined && { forward: fails(older) }),
  };
}

function describe(older: Occurrence | undefined, newer: Occurrence | undefined): string {
  if (older === undefined) return `now has ${show(newer)}`;
  if (newer === undefined) return `no longer has ${show(older)}`;
  const [was, is] = [show(older), show(newer)];
  return was === is ? `has a different ${was}` : `was ${was}, is ${is}`;
}

/** The keyword, with its value if that is short. */
function show(occurrence: Occurrence | undefined): string {
  if (occurrence === undefined) return "";
  if (occurrence.keyword === HOLE) return `what nobody can read, ${occurrence.value}`;
  const text = printValue(occurrence);
  return text.length > 60 || text.includes(HOLE)
    ? occurrence.keyword
    : `${occurrence.keyword} ${text}`;
}

/** Keywords that no text has. */
const MARKS = [LEAVES_UNEVALUATED, WRITTEN_WHOLE];

/** The value of a keyword as JSON, with the exact digits of a number. */
export function printValue({ location, keyword, value }: Occurrence): string {
  const hide = (key: string, part: unknown): unknown => (MARKS.includes(key) ? undefined : part);
  return exactNumber(location.schema, keyword) ?? JSON.stringify(value, hide);
}

/** Occurrences of a keyword that only one version has. */
export interface Difference {
  readonly removed: readonly Occurrence[];
  readonly added: readonly Occurrence[];
}

const NO_DIFFERENCE: Difference = { removed: [], added: [] };

/**
 * The occurrences of a keyword that have no equivalent in the other version. `along` are neighbouring keywords that
 * affect its meaning.
 */
export function differencesOf(
  pair: PlacePair,
  keyword: string,
  along: readonly string[] = [],
): Difference {
  const [older, newer] = [pair.old.occurrences(keyword), pair.new.occurrences(keyword)];
  if (older.length + newer.length === 0) return NO_DIFFERENCE;
  const keyed = (occurrences: readonly Occurrence[]): [string, Occurrence][] =>
    occurrences.map((each) => [keyOf(pair, each, along), each]);
  const [olds, news] = [keyed(older), keyed(newer)];
  const without = (some: [string, Occurrence][], others: [string, Occurrence][]): Occurrence[] =>
    some.filter(([key]) => !others.some(([other]) => other === key)).map(([, each]) => each);
  return { removed: without(olds, news), added: without(news, olds) };
}

/** The single differing occurrence of each version; undefined if there is not exactly one in both. */
export function changedInPlace({
  removed,
  added,
}: Difference): readonly [Occurrence, Occurrence] | undefined {
  const [older, newer] = [removed[0], added[0]];
  if (older === undefined || newer === undefined || removed.length + added.length > 2) {
    return undefined;
  }
  return [older, newer];
}

/** The same text for occurrences with the same meaning. */
function keyOf(
  { classes }: PlacePair,
  { location, keyword }: Occurrence,
  along: readonly string[],
): string {
  if (isAnnotation(keyword)) return exactMemberText(location.schema, keyword);
  const entries = [keyword, ...along].map((each) => [each, location.schema[each]] as const);
  const schema = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  carryExactNumbers(location.schema, schema);
  return classes.of({ ...location, schema });
}
