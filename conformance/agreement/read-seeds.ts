import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entryTypes, isRolloutBranchRecord } from "#generated/index.js";
import { exportRollouts } from "../../src/export/export-rollouts.js";
import type { Seed } from "./create-corpus.js";

const GOLDEN_INPUT = "fixtures/golden/support-desk/input.jsonl";
const VALID_FIXTURES = "fixtures/valid";

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
    ...readFixtures(root),
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
    throw new Error(`no valid record of ${name}: add ${VALID_FIXTURES}/${name}/<case>.json`);
  }
  return seeds;
}

/** `fixtures/valid/<Type>/<case>.json`, each `{why, record}`. */
function readFixtures(root: string): Seed[] {
  return readdirSync(join(root, VALID_FIXTURES)).flatMap((type) =>
    readdirSync(join(root, VALID_FIXTURES, type)).map((file) => {
      const text = readFileSync(join(root, VALID_FIXTURES, type, file), "utf8");
      return { type, record: JSON.parse(text).record };
    }),
  );
}

function toSeeds(type: string, records: readonly unknown[]): Seed[] {
  return records.map((record) => ({ type, record }));
}
