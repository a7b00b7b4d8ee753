import type { Check, ThingCount } from "../check.js";
import { checkFixture } from "../fixtures/faults.js";
import type { FixtureKind } from "../fixtures/fixture.js";
import { whyNoFixtures } from "../workspace.js";

/** The fixtures are valid, and fail exactly as they expect. */
export const fixtures: Check = {
  id: "fixtures",
  purpose: "Valid fixtures pass, and invalid ones fail in what they expect and no more.",
  fix: "fix the fixture, or the rule or schema that it is held against",
  fixElsewhere: "fix the fixture, or the schema that it is held against",
  whyNot: whyNoFixtures,
  configuredBy: "fixtures",
  needs: ["generated-fresh"],
  async run(workspace) {
    const { fixtures, findings, findFaults } = await workspace.suites();
    const count = (wanted: FixtureKind): ThingCount => ({
      count: fixtures.filter(({ kind }) => kind === wanted).length,
      thing: `${wanted} fixture`,
    });
    const faults = fixtures.flatMap((fixture) => checkFixture(fixture, findFaults(fixture)));
    return { checked: [count("valid"), count("invalid")], findings: [...findings, ...faults] };
  },
};
