import { isJsonObject } from "../../../src/json/value.js";
import type { Occurrence, Place } from "../places/place.js";
import { all } from "../satisfiability/formula.js";
import { has, lacks } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const dependentRequiredChanged: Rule = {
  id: "D1",
  name: "dependent-required-changed",
  summary: "A property demands other ones beside it, or no longer.",
  mend: "keep the dependency, or release a new version of the format",
  find({ old: before, new: after }) {
    const [olds, news] = [dependenciesOf(before), dependenciesOf(after)];
    const missing = (others: readonly Dependency[]) => (each: Dependency) =>
      !others.some(({ name, needed }) => name === each.name && needed === each.needed);
    return [
      ...olds.filter(missing(news)).map(({ name, needed, occurrence }) => ({
        old: { ...occurrence, below: [name] },
        property: name,
        message: `no longer demands ${JSON.stringify(needed)} beside it`,
        violates: { forward: all(has(name), lacks(needed)) },
      })),
      ...news.filter(missing(olds)).map(({ name, needed, occurrence }) => ({
        new: { ...occurrence, below: [name] },
        property: name,
        message: `demands ${JSON.stringify(needed)} beside it now`,
        violates: { backward: all(has(name), lacks(needed)) },
      })),
    ];
  },
};

interface Dependency {
  readonly name: string;
  readonly needed: string;
  readonly occurrence: Occurrence;
}

function dependenciesOf(place: Place): Dependency[] {
  return place.occurrences("dependentRequired").flatMap((occurrence) => {
    const entries = isJsonObject(occurrence.value) ? Object.entries(occurrence.value) : [];
    return entries.flatMap(([name, needs]) =>
      (Array.isArray(needs) ? needs : []).map((needed) => ({
        name,
        needed: String(needed),
        occurrence,
      })),
    );
  });
}
