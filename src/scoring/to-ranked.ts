import type { RolloutBranchRecord } from "#generated/index.js";
import type { ScoredBranch } from "./read-scores.js";
import { totalScore } from "./total-score.js";
import type { ScoreWeights } from "./weights.js";

/**
 * Ranks the scored branches of one rollout by total score, ties by branch_index; best first.
 *
 * Each is a copy that keeps every field and their order. `objective_score`, `rank` and `total_score`
 * are replaced, or stand at the end; so do `judge_score` and `objective_status`, where there is one:
 * without the word, a build that has not ended would be a plain failure to all later readers.
 */
export function toRanked(
  scored: readonly ScoredBranch[],
  weights: ScoreWeights,
): RolloutBranchRecord[] {
  return scored
    .map((each) => ({ ...each, total: totalScore(each.parts, weights) }))
    .sort((a, b) => b.total - a.total || a.branch.branch_index - b.branch.branch_index)
    .map(({ branch, status, parts: { objective, judgeScore }, total }, at) => ({
      ...branch,
      ...(status !== undefined && { objective_status: status }),
      objective_score: objective,
      ...(judgeScore !== undefined && { judge_score: judgeScore }),
      rank: at + 1,
      total_score: total,
    }));
}
