import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entryTypes, isRolloutBranchRecord } from "#generated/index.js";
import { exportRollouts } from "../../src/export/export-rollouts.js";
import type { Seed } from "./create-corpus.js";

const GOLDEN_INPUT = "fixtures/golden/support-desk/input.jsonl";

/** Valid records of every entry type, made from the bundled rollouts of the repository at `root`. */
export function readSeeds(root: string): Seed[] {
  const branches = readFileSync(join(root, GOLDEN_INPUT), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(isRolloutBranchRecord);
  const options = { exportedAtMs: 1_700_000_000_000 };
  const wire = exportRollouts(branches, { target: "wire", ...options });
  const training = exportRollouts(branches, { target: "training", ...options });
  const seeds: Seed[] = [
    ...toSeeds("RolloutBranchRecord", branches),
    ...toSeeds("RolloutBranch", branches),
    ...toSeeds(
      "RolloutTraceStep",
      branches.flatMap((branch) => branch.steps ?? []),
    ),
    ...toSeeds("DpoRecord", wire.dpo),
    ...toSeeds("PpoRecord", wire.ppo),
    ...toSeeds("DpoTrainingRecord", training.dpo),
    ...toSeeds("PpoTrainingRecord", training.ppo),
  ];
  for (const { name } of entryTypes) {
    if (!seeds.some(({ type }) => type === name)) throw new Error(`no seed for ${name}`);
  }
  return seeds;
}

function toSeeds(type: string, records: readonly unknown[]): Seed[] {
  return records.map((record) => ({ type, record }));
}
