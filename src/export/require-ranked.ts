import type { RolloutBranchRecord } from "#generated/index.js";
import { requireOneRollout } from "../scoring/require-one-rollout.js";

/**
 * Throws TypeError unless `branches` are those of one rollout, and ranked. The types say so already; but without
 * it, JavaScript would get records of captured branches that lack their reward, and no word.
 */
export function requireRanked(branches: readonly RolloutBranchRecord[]): void {
  requireOneRollout(branches);
  const unranked = branches.find(({ total_score }) => total_score === undefined);
  if (unranked === undefined) return;
  const { rollout_id: id, branch_index: index } = unranked;
  throw new TypeError(
    `branch ${index} of rollout ${JSON.stringify(id)} has no total_score: rank the branches first (rankBranches)`,
  );
}
