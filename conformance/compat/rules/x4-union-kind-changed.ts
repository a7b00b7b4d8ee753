import type { Occurrence, Place } from "../places/place.js";
import { failsAny } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const unionKindChanged: Rule = {
  id: "X4",
  name: "union-kind-changed",
  summary: "An exclusive union became one that is not, or the reverse.",
  mend: "keep the kind, or tell the members apart by a constant",
  find(pair) {
    const [older, newer] = [unionsOf(pair.old), unionsOf(pair.new)];
    const [from, to] = [older[0], newer[0]];
    if (from === undefined || to === undefined || older.length + newer.length > 2) return [];
    if (from.keyword === to.keyword) return [];
    return [
      {
        old: from,
        new: to,
        message: `was ${from.keyword}, is ${to.keyword}`,
        violates: { backward: failsAny(newer), forward: failsAny(older) },
      },
    ];
  },
};

function unionsOf(place: Place): Occurrence[] {
  return [...place.occurrences("anyOf"), ...place.occurrences("oneOf")];
}
