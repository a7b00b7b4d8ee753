import type { RolloutBranch, RolloutBranchRecord } from "#generated/index.js";
import { buildPasses } from "./build-passes.js";
import { type Judge, type JudgeFailure, judgeBranch } from "./judge-branch.js";
import type { RankScoredOptions } from "./rank-scored.js";
import { scoreBranches } from "./score-branches.js";
import { toRanked } from "./to-ranked.js";
import { DEFAULT_WEIGHTS, requireWeights } from "./weights.js";

export interface RankBranchesOptions extends RankScoredOptions {
  /**
   * Asked once about each branch that captured no `judge_score`, about all of them at once; without it
   * these count as neutral.
   */
  readonly judge?: Judge | undefined;
}

export interface RankedRollout {
  /** The ranked branches, best first. */
  readonly branches: readonly RolloutBranchRecord[];
  /** The branches that the judge gave no score, by branch_index; look here before trusting a rank. */
  readonly judgeFailures: readonly JudgeFailure[];
}

/**
 * Ranks the branches of one rollout as `rankScored` does, after a judge has scored those that captured no
 * judge's score. Its scores stay on the records, as `judge_score`.
 *
 * A judge that throws, or gives anything but a number from 0 to 10, costs no other branch its score. The
 * branch then counts as one without a judge (the neutral 5), is listed in `judgeFailures`, and gets no
 * `judge_score`: rank the result again, and only the branches that failed are judged again. Until then a
 * neutral score stands beside real ones, so between branches of the same objective verdict the rank of
 * such a branch means little.
 *
 * The judge is asked only when every branch can be ranked, so that no call is paid for in vain. Rejects
 * as `rankScored` throws.
 */
export async function rankBranches(
  branches: readonly RolloutBranch[],
  { weights = DEFAULT_WEIGHTS, verifier = buildPasses, judge }: RankBranchesOptions = {},
): Promise<RankedRollout> {
  requireWeights(weights);
  const scored = scoreBranches(branches, verifier);
  const judged = await Promise.all(scored.map((each) => judgeBranch(each, judge)));
  return {
    branches: toRanked(
      judged.map((each) => each.scored),
      weights,
    ),
    judgeFailures: judged.flatMap(({ failure }) => failure ?? []),
  };
}
