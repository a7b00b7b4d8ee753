import { afterEach } from "vitest";
import { SmallRepository } from "../../fixtures/testing/small-repository.js";
import { runChecks } from "../../run.js";
import { constraintCoverage } from "../constraint-coverage.js";
import { fixtures } from "../fixtures.js";

/** Creates a repository with one schema, Task, for a test of the calling file; it is removed after the test. */
export function useSmallRepository(): (schema: object, more?: object) => SmallRepository {
  let current: SmallRepository | undefined;
  afterEach(() => {
    current?.remove();
    current = undefined;
  });
  return (schema, more) => {
    current = new SmallRepository(
      { task: schema },
      { fixtures: "tests", formats: "assert", ...more },
    );
    return current;
  };
}

/** Findings of the checks of fixtures as `pointer message`, and the counts of constraint coverage. */
export async function checkSuites(
  of: SmallRepository,
): Promise<{ found: string[]; counts: Map<string, number> }> {
  const results = await runChecks([fixtures, constraintCoverage], of.open());
  const counts = results[1]?.checked.map(({ thing, count }) => [thing, count] as const);
  const found = results.flatMap(({ findings, waitsFor }) => [
    ...findings.map(({ pointer, message }) => `${pointer} ${message}`),
    ...(waitsFor === undefined ? [] : [`waits for ${waitsFor}`]),
  ]);
  return { found, counts: new Map(counts) };
}
