import type { Check } from "../check.js";
import { whyNoFixtures } from "../workspace.js";

export const constraintCoverage: Check = {
  id: "constraint-coverage",
  purpose:
    "Every constraint of every schema is pinned by an invalid fixture, and by a valid one at its boundary.",
  fix: "npm run cli -- check --write-fixtures for missing fixtures, otherwise as each finding says",
  fixElsewhere: "run check --write-fixtures, which writes missing ones, or as each finding says",
  whyNot: whyNoFixtures,
  configuredBy: "fixtures",
  needs: ["generated-fresh", "fixtures"],
  async run(workspace) {
    const { findSurvivors, isEnough, isUndetectable } = await import("../coverage/coverage.js");
    // The check `fixtures` reports faults of the suites themselves.
    const coverage = await workspace.measure();
    const { schemas, mutants, fixtures } = coverage;
    const constraints = new Set(
      mutants.map(({ location, pointer }) => `${location.definition.schema.file} ${pointer}`),
    );
    const equivalent = mutants.filter(isUndetectable).length;
    const killed = mutants.filter(({ killer }) => killer !== undefined).length;
    const least = workspace.leastCoverage;
    return {
      checked: [
        { count: constraints.size, thing: "constraint" },
        ...(least < 1 ? [{ count: killed, thing: "killed mutant" }] : []),
        { count: mutants.length - equivalent, thing: "mutant" },
        { count: equivalent, thing: "equivalent mutant" },
        { count: fixtures.length, thing: "fixture" },
        { count: schemas.length, thing: "schema" },
      ],
      findings:
        least < 1 && isEnough(coverage, least) ? [] : findSurvivors(workspace.root, coverage),
    };
  },
};
