import type { Check, ThingCount } from "../check.js";
import { checkFixture, excuseKnownFailures } from "../fixtures/faults.js";
import type { FixtureKind } from "../fixtures/fixture.js";
import { whyNoFixtures } from "../workspace.js";

/** The fixtures are valid, and fail exactly as they expect. */
export const fixtures: Check = {
  id: "fixtures",
  purpose: "Valid fixtures pass, and invalid ones fail in what they expect and no more.",
  fix: "fix the fixture, or the rule or schema that it is held against",
  fixElsewhere: "fix the fixture, or the schema that it is held against",
  whyNot: whyNoFixtures,
  needs: ["generated-fresh"],
  async run(workspace) {
    const { fixtures, findings, findFaults } = await workspace.suites();
    const checked = fixtures.map((fixture) => {
      return { fixture, findings: checkFixture(fixture, findFaults(fixture)) };
    });
    const count = (wanted: FixtureKind): ThingCount => ({
      count: fixtures.filter(({ kind }) => kind === wanted).length,
      thing: `${wanted} fixture`,
    });
    const counts = [count("valid"), count("invalid")];
    if (!workspace.isOurs) {
      return {
        checked: counts,
        findings: [...findings, ...checked.flatMap((each) => each.findings)],
      };
    }
    const excused = excuseKnownFailures(workspace.root, checked);
    const failures = excused.known === 0 ? [] : [{ count: excused.known, thing: "known failure" }];
    return { checked: [...counts, ...failures], findings: [...findings, ...excused.findings] };
  },
};
