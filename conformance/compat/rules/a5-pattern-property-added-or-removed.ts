import { type Occurrence, schemaAt } from "../places/place.js";
import type { Formula } from "../satisfiability/formula.js";
import { keysOf } from "../satisfiability/keywords/properties.js";
import { rejected, someProperty } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const patternPropertyAddedOrRemoved: Rule = {
  id: "A5",
  name: "pattern-property-added-or-removed",
  summary: "Names of a pattern have a schema now, or no longer.",
  mend: "keep the pattern, or release a new version of the format",
  find({ old: before, new: after }) {
    const [olds, news] = [before, after].map((place) =>
      place.occurrences("patternProperties").flatMap(toPatterns),
    );
    const missing = (pattern: string, others: readonly Entry[] = []): boolean =>
      !others.some((other) => other.pattern === pattern);
    return [
      ...(olds ?? [])
        .filter(({ pattern }) => missing(pattern, news))
        .map(({ pattern, occurrence, violation }) => ({
          old: { ...occurrence, below: [pattern] },
          message: `has no schema for names like ${pattern} any more`,
          violates: { forward: violation },
        })),
      ...(news ?? [])
        .filter(({ pattern }) => missing(pattern, olds))
        .map(({ pattern, occurrence, violation }) => ({
          new: { ...occurrence, below: [pattern] },
          message: `has a schema for names like ${pattern} now`,
          violates: { backward: violation },
        })),
    ];
  },
};

interface Entry {
  readonly pattern: string;
  readonly occurrence: Occurrence;
  /** A property of such a name that its schema rejects. */
  readonly violation: Formula;
}

function toPatterns(occurrence: Occurrence): Entry[] {
  return keysOf(occurrence.value).map((pattern) => {
    const is = rejected(schemaAt(occurrence, pattern));
    return { pattern, occurrence, violation: someProperty({ matching: [pattern] }, is) };
  });
}
