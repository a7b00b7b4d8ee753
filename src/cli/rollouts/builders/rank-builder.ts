import { isRolloutBranch, type RolloutBranch } from "#generated/index.js";
import { OutlineReader } from "../../../jsonl/outline-reader.js";
import { findUnrankable } from "../../../scoring/find-unrankable.js";
import { rankScored } from "../../../scoring/rank-scored.js";
import type { ScoreWeights } from "../../../scoring/weights.js";
import type { BranchFault } from "../../../validation/check-record.js";
import type { RolloutBuilder } from "../rollout-builder.js";

export interface RankPlan {
  readonly weights: ScoreWeights;
}

/** Ranks captured branches; the one output holds them as `RolloutBranchRecord`, best first. */
export function createRankBuilder({ weights }: RankPlan): RolloutBuilder<RolloutBranch> {
  return {
    type: "RolloutBranch",
    reader: new OutlineReader(),
    outputs: ["ranked"],
    read: (value) => (isRolloutBranch(value) ? value : undefined),
    checkRollout: findUnrankableBranches,
    build(branches) {
      return { outputs: [{ records: rankScored(branches, { weights }) }], unreadableToolEvents: 0 };
    },
  };
}

function findUnrankableBranches(branches: readonly RolloutBranch[]): BranchFault[] {
  return branches.flatMap((each, branch) =>
    findUnrankable([each]).map(({ id, pointer, message }) => ({
      branch,
      id,
      severity: "error",
      pointer,
      message,
    })),
  );
}
