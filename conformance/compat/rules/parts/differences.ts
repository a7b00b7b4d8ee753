import canonicalize from "canonicalize";
import type { Occurrence, Place } from "../../places/place.js";
import type { PlacePair } from "../../places/place-pair.js";
import { isAnnotation } from "../../satisfiability/annotations.js";

/** What only one version has of a keyword at a place. */
export interface Difference {
  readonly removed: readonly Occurrence[];
  readonly added: readonly Occurrence[];
}

/**
 * The occurrences of a keyword that mean something else in the other version. `along` are keywords that change
 * the meaning of it where they stand beside it.
 */
export function differencesOf(
  pair: PlacePair,
  keyword: string,
  along: readonly string[] = [],
): Difference {
  const keyed = (place: Place): [string, Occurrence][] =>
    place.occurrences(keyword).map((each) => [meaningOf(pair, each, along), each]);
  const [olds, news] = [keyed(pair.old), keyed(pair.new)];
  const without = (some: [string, Occurrence][], others: [string, Occurrence][]): Occurrence[] =>
    some.filter(([key]) => !others.some(([other]) => other === key)).map(([, each]) => each);
  return { removed: without(olds, news), added: without(news, olds) };
}

/** The one occurrence of either version, where it was changed in place. */
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

function meaningOf(
  { classes }: PlacePair,
  { location, keyword, value }: Occurrence,
  along: readonly string[],
): string {
  if (isAnnotation(keyword)) return canonicalize(value) ?? "";
  const entries = [keyword, ...along].map((each) => [each, location.schema[each]] as const);
  const schema = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return classes.of({ ...location, schema });
}
