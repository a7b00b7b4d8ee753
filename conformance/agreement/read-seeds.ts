import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entryTypes, isRolloutBranchRecord } from "#generated/index.js";
import { exportRollouts } from "../../src/export/export-rollouts.js";
import { toValue } from "../fixtures/fixture.js";
import { readFixtures } from "../fixtures/read-fixtures.js";
import type { Seed } from "./create-corpus.js";

const GOLDEN_INPUT = "fixtures/golden/support-desk/input.jsonl";

/**
 * Valid records of every entry type, from the repository at `root`: the fixtures, the bundled
 * rollouts, and what the exporter makes of them. Throws when an entry type has none.
 */
export function readSeeds(root: string): Seed[] {
  const branches = readFileSync(join(root, GOLDEN_INPUT), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(isRolloutBranchRecord);
  const options = { exportedAtMs: 1_700_000_000_000 };
  const wire = exportRollouts(branches, { target: "wire", ...options });
  const training = exportRollouts(branches, { target: "training", ...options });
  const steps = branches.flatMap((branch) => branch.steps ?? []);
  const seeds: Seed[] = [
    ...readValidFixtures(root),
    ...toSeeds("RolloutBranchRecord", branches),
    ...toSeeds("RolloutBranch", branches),
    ...toSeeds("RolloutTraceStep", steps),
    ...toSeeds("DpoRecord", wire.dpo),
    ...toSeeds("PpoRecord", wire.ppo),
    ...toSeeds("DpoTrainingRecord", training.dpo),
    ...toSeeds("PpoTrainingRecord", training.ppo),
  ];
  for (const { name } of entryTypes) {
    if (seeds.some(({ type }) => type === name)) continue;
    throw new Error(`no valid record of ${name}: add fixtures/valid/${name}/<case>.json`);
  }
  return seeds;
}

/** The valid fixtures; of a rollout every branch is a record. */
function readValidFixtures(root: string): Seed[] {
  return readFixtures(root)
    .filter(({ kind }) => kind === "valid")
    .flatMap(({ type, content }) =>
      toSeeds(type, "rollout" in content ? content.rollout : [toValue(content)]),
    );
}

function toSeeds(type: string, records: readonly unknown[]): Seed[] {
  return records.map((record) => ({ type, record }));
}
