import type { Place } from "../../places/place.js";
import type { PlacePair } from "../../places/place-pair.js";
import { isEqual } from "../../satisfiability/json-type.js";
import type { FoundChange } from "../rule.js";

/** Annotations that a place has another one of. What a schema refers to is a place of itself. */
export function annotationChanges(
  { old: before, new: after }: PlacePair,
  keywords: readonly string[],
): FoundChange[] {
  return keywords.flatMap((keyword): FoundChange[] => {
    const [older, newer] = [first(before, keyword), first(after, keyword)];
    if (older === undefined && newer === undefined) return [];
    if (older !== undefined && newer !== undefined && isEqual(older.value, newer.value)) return [];
    const change =
      older === undefined ? "is new" : newer === undefined ? "is gone" : "is another one";
    return [{ old: older, new: newer, message: `${keyword} ${change}` }];
  });
}

function first(place: Place, keyword: string) {
  return place.occurrences(keyword)[0];
}
