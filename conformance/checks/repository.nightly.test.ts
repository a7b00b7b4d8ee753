import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { rules } from "../../src/rollouts/wire/validation/rules/index.js";
import { Workspace } from "../workspace.js";
import { checks } from "./index.js";

const golden = readdirSync(join(packageRoot(), "fixtures/golden"));
const goldenFiles = readdirSync(join(packageRoot(), "fixtures/golden"), {
  recursive: true,
  encoding: "utf8",
});

/** What each check examines in this repository, with minimum counts. */
const LEAST: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  registry: { schema: 3, artefact: 3 },
  "registry-hashes": { schema: 6 },
  "released-immutable": { "released version": 6 },
  "bump-matches-verdict": { schema: 3 },
  "schema-lint": { schema: 6, location: 101 },
  "generated-fresh": { file: 21, schema: 6 },
  fixtures: { "valid fixture": 100, "invalid fixture": 100 },
  "constraint-coverage": { constraint: 351, mutant: 601, fixture: 351, schema: 3 },
  agreement: { record: 20_000, implementation: 5 },
  "semantic-rules": { rule: rules.length, fixture: 2 * rules.length + 1 },
  golden: {
    output: goldenFiles.filter((file) => file.includes("expected.")).length,
    "golden run": golden.length,
  },
};

test.each(checks)(
  "$id is green on this repository, and examines all of it",
  async ({ id, run }) => {
    const { checked, findings } = await run(new Workspace(packageRoot()));
    expect(findings).toEqual([]);
    const counts = Object.fromEntries(checked.map(({ thing, count }) => [thing, count]));
    const least = Object.entries(LEAST[id] ?? {});
    expect(least.length).toBeGreaterThan(0);
    for (const [thing, count] of least) expect(counts[thing], thing).toBeGreaterThanOrEqual(count);
  },
);
