import { expect, test } from "vitest";
import { createBranch } from "./testing/create-branch.js";
import { toDpoRecord } from "./to-dpo-record.js";
import { toDpoTrainingRecord } from "./to-dpo-training-record.js";
import { toPpoRecords } from "./to-ppo-records.js";
import { toPpoTrainingRecords } from "./to-ppo-training-records.js";

/** As JavaScript may pass it: `total_score` is gone. */
function createUnranked() {
  const branch = createBranch({ rollout_id: "r-1", branch_index: 1 });
  Reflect.deleteProperty(branch, "total_score");
  return branch;
}

test.each<[string, (branches: ReturnType<typeof createUnranked>[]) => unknown]>([
  ["toPpoRecords", toPpoRecords],
  ["toPpoTrainingRecords", toPpoTrainingRecords],
  ["toDpoRecord", toDpoRecord],
  ["toDpoTrainingRecord", toDpoTrainingRecord],
])("%s refuses branches that are not ranked", (_, make) => {
  const ranked = createBranch({ rollout_id: "r-1" });
  expect(() => make([ranked, createUnranked()])).toThrow(
    new TypeError(
      'branch 1 of rollout "r-1" has no total_score: rank the branches first (rankBranches)',
    ),
  );
});
