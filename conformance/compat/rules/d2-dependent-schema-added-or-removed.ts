import { type Occurrence, type Place, schemaAt } from "../places/place.js";
import { all, type Formula } from "../satisfiability/formula.js";
import { keysOf } from "../satisfiability/keywords/properties.js";
import { has, rejected } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const dependentSchemaAddedOrRemoved: Rule = {
  id: "D2",
  name: "dependent-schema-added-or-removed",
  summary: "A schema holds where a property is there, or no longer.",
  mend: "keep the dependency, or release a new version of the format",
  find({ old: before, new: after }) {
    const [olds, news] = [dependentsOf(before), dependentsOf(after)];
    const missing = (others: readonly Dependent[]) => (each: Dependent) =>
      !others.some(({ name }) => name === each.name);
    return [
      ...olds.filter(missing(news)).map(({ name, occurrence, violation }) => ({
        old: { ...occurrence, below: [name] },
        property: name,
        message: "no longer brings a schema with it",
        violates: { forward: violation },
      })),
      ...news.filter(missing(olds)).map(({ name, occurrence, violation }) => ({
        new: { ...occurrence, below: [name] },
        property: name,
        message: "brings a schema with it now",
        violates: { backward: violation },
      })),
    ];
  },
};

interface Dependent {
  readonly name: string;
  readonly occurrence: Occurrence;
  readonly violation: Formula;
}

function dependentsOf(place: Place): Dependent[] {
  return place.occurrences("dependentSchemas").flatMap((occurrence) =>
    keysOf(occurrence.value).map((name) => ({
      name,
      occurrence,
      violation: all(has(name), rejected(schemaAt(occurrence, name))),
    })),
  );
}
