import type { Check, ThingCount } from "../check.js";
import { excuseKnownFailures, judgeFixture } from "../fixtures/faults.js";
import type { FixtureKind } from "../fixtures/fixture.js";
import { loadFixtures } from "../fixtures/load.js";

/** The fixtures are in order, and structure and semantics judge them as they say. */
export const fixtures: Check = {
  id: "fixtures",
  purpose: "Valid fixtures pass, and invalid ones fail in what they expect and no more.",
  fix: "correct the fixture, or what judges it",
  async run(root) {
    const loaded = loadFixtures(root);
    const judged = loaded.fixtures.map((fixture) => ({ fixture, findings: judgeFixture(fixture) }));
    const { findings, known } = excuseKnownFailures(root, judged);
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
