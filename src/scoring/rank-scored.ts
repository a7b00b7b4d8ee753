import type { RolloutBranch, RolloutBranchRecord } from "#generated/index.js";
import { buildPasses } from "./build-passes.js";
import type { ObjectiveVerifier } from "./objective-verifier.js";
import { scoreBranches } from "./score-branches.js";
import { toRanked } from "./to-ranked.js";
import { DEFAULT_WEIGHTS, requireWeights, type ScoreWeights } from "./weights.js";

export interface RankScoredOptions {
  /** How much each part of a score counts; DEFAULT_WEIGHTS unless given. */
  readonly weights?: ScoreWeights | undefined;
  /** Says whether a branch passed that captured no verdict; `buildPasses` unless given. */
  readonly verifier?: ObjectiveVerifier | undefined;
}

/**
 * Ranks the branches of one rollout by the scores that they carry, best first: by total score (see
 * `totalScore`), ties by branch_index. The order of `branches` does not matter.
 *
 * The objective verdict is the captured `objective_score` (0 or 1), else the captured
 * `objective_status`, else what `verifier` says; a branch with an empty `final_answer` crashed, and is 0
 * when nothing else speaks. The judge's score is the captured `judge_score` (0..10), else the neutral 5.
 *
 * Records keep every field, unknown ones too, and the order of their keys. `objective_score`, `rank` and
 * `total_score` are added at the end, or replaced, so that ranking again is harmless: but a judge's score
 * that was never captured as `judge_score` cannot be told from the old total, and is lost.
 * `objective_status` is added when the verifier gave it: a build that has not ended stays `unknown`.
 *
 * Throws TypeError when the branches are none, of several rollouts, or two share a branch_index;
 * RangeError when no reward could be normalised by the weights; UserError, which names the branch, when
 * one has no objective verdict or a score out of range, or contradicts its verdict (`findUnrankable`
 * finds all of them). The branches are taken to be valid in structure.
 */
export function rankScored(
  branches: readonly RolloutBranch[],
  { weights = DEFAULT_WEIGHTS, verifier = buildPasses }: RankScoredOptions = {},
): RolloutBranchRecord[] {
  requireWeights(weights);
  return toRanked(scoreBranches(branches, verifier), weights);
}
