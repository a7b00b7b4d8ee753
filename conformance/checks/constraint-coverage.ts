import type { Check } from "../check.js";
import { findSurvivors } from "../coverage/coverage.js";
import { isEquivalence } from "../coverage/operators/operator.js";

export const constraintCoverage: Check = {
  id: "constraint-coverage",
  purpose:
    "Every constraint of every wire schema is pinned by an invalid fixture, and by a valid one at its boundary.",
  fix: "npm run fixtures:new -- --missing for missing fixtures, otherwise as each finding says",
  whyNot: ({ isOurs }) => (isOurs ? undefined : "so far it runs in that of rollout-wire alone"),
  needs: ["generated-fresh", "fixtures"],
  async run({ root, coverage }) {
    // The check `fixtures` reports faults of the suites themselves.
    const { schemas, mutants } = coverage;
    const constraints = new Set(
      mutants.map(({ location, pointer }) => `${location.definition.schema.file} ${pointer}`),
    );
    const equivalent = mutants.filter(({ change }) => isEquivalence(change)).length;
    return {
      checked: [
        { count: constraints.size, thing: "constraint" },
        { count: mutants.length - equivalent, thing: "mutant" },
        { count: equivalent, thing: "equivalent mutant" },
        { count: coverage.fixtures.length, thing: "fixture" },
        { count: schemas.length, thing: "schema" },
      ],
      findings: findSurvivors(root, coverage),
    };
  },
};
