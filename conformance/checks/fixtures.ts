import type { Check, ThingCount } from "../check.js";
import { checkFixture, excuseKnownFailures } from "../fixtures/faults.js";
import type { FixtureKind } from "../fixtures/fixture.js";

/** The fixtures are valid, and fail exactly as they expect. */
export const fixtures: Check = {
  id: "fixtures",
  purpose: "Valid fixtures pass, and invalid ones fail in what they expect and no more.",
  fix: "fix the fixture, or the rule or schema that it is held against",
  whyNot: ({ isOurs }) => (isOurs ? undefined : "so far it runs in that of rollout-wire alone"),
  needs: ["generated-fresh"],
  async run({ root, fixtures: loaded }) {
    const checked = loaded.fixtures.map((fixture) => ({
      fixture,
      findings: checkFixture(fixture),
    }));
    const { findings, known } = excuseKnownFailures(root, checked);
    const count = (wanted: FixtureKind): ThingCount => ({
      count: loaded.fixtures.filter(({ kind }) => kind === wanted).length,
      thing: `${wanted} fixture`,
    });
    const failures: ThingCount[] = known === 0 ? [] : [{ count: known, thing: "known failure" }];
    return {
      checked: [count("valid"), count("invalid"), ...failures],
      findings: [...loaded.findings, ...findings],
    };
  },
};
