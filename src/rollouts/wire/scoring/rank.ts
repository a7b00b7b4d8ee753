import type { Open, RolloutBranch, RolloutBranchRecord } from "#generated/index.js";
import { previewValue } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import {
  type Judge,
  type JudgeFailure,
  judgeBranch,
  readScores,
  type ScoredBranch,
} from "./judge.js";
import { buildPasses, type ObjectiveVerifier } from "./objective.js";
import {
  DEFAULT_WEIGHTS,
  requireWeights,
  type ScoreFault,
  type ScoreWeights,
  totalScore,
} from "./score.js";

/** How `rankBranches` scores branches. */
export interface RankBranchesOptions extends RankScoredOptions {
  /**
   * Called concurrently, once for each branch without a captured `judge_score`. Without a judge, such branches
   * count as neutral.
   */
  readonly judge?: Judge | undefined;
}

/** A ranked branch, with the score of the judge if it has one. The format does not declare that. */
export type RankedBranch = RolloutBranchRecord & { readonly judge_score?: number | null };

/** The branches of a rollout, ranked, and what the judge failed to score. */
export interface RankedRollout {
  /** The ranked branches, best first. */
  readonly branches: readonly RankedBranch[];
  /** The branches that the judge failed to score, by branch_index. Check them before you trust a rank. */
  readonly judgeFailures: readonly JudgeFailure[];
}

/**
 * Asks a judge to score the branches without a captured `judge_score`, then ranks the branches of the rollout
 * as `rankScored` does. The records contain the judge's scores as `judge_score`.
 *
 * If the judge throws, or returns anything but a number from 0 to 10, only that branch is affected. It counts
 * as neutral (5), is listed in `judgeFailures`, and gets no `judge_score`. If you rank the result again, only
 * the failed branches are judged again. Until then, the rank of such a branch among branches with the same
 * objective verdict is unreliable.
 *
 * The judge is called only if every branch can be ranked, so that no call is wasted. Rejects with the
 * errors that `rankScored` throws.
 */
export async function rankBranches(
  branches: readonly Open<RolloutBranch>[],
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

/** How `rankScored` scores branches. */
export interface RankScoredOptions {
  /** Weights of the parts of a score. Default: DEFAULT_WEIGHTS. */
  readonly weights?: ScoreWeights | undefined;
  /** Gives the verdict for branches that captured none. Default: `buildPasses`. */
  readonly verifier?: ObjectiveVerifier | undefined;
}

/**
 * Ranks the branches of one rollout by their own scores, best first: by total score (see `totalScore`), ties by
 * branch_index. The order of `branches` does not matter.
 *
 * The objective verdict is the captured `objective_score` (0 or 1), otherwise the captured `objective_status`,
 * otherwise the result of `verifier`. A branch with an empty `final_answer` crashed, and scores 0 if it has
 * none of these. The judge's score is the captured `judge_score` (0..10), otherwise the neutral 5.
 *
 * Records keep all fields, including unknown ones, and the order of their keys. `objective_score`, `rank` and
 * `total_score` are replaced or added at the end, so branches can be ranked again. A judge's score that was
 * never captured as `judge_score` is lost, because it cannot be derived from the old total. `objective_status`
 * is added if the verifier gave it, so that an unfinished build stays `unknown`.
 *
 * Throws TypeError if there are no branches, if they belong to several rollouts, or if two share a
 * branch_index; RangeError for weights as `requireWeights` does; UserError, which names the branch, if a branch
 * has no objective verdict, has a score out of range, or contradicts its verdict (`findUnrankable` finds all of
 * them). The branches must be structurally valid.
 */
export function rankScored(
  branches: readonly Open<RolloutBranch>[],
  { weights = DEFAULT_WEIGHTS, verifier = buildPasses }: RankScoredOptions = {},
): RankedBranch[] {
  requireWeights(weights);
  return toRanked(scoreBranches(branches, verifier), weights);
}

/**
 * Ranks the scored branches of one rollout by total score, ties by branch_index; best first.
 *
 * Returns copies that keep all fields in order. `objective_score`, `rank` and `total_score` are replaced or
 * added at the end, and so are `judge_score` and `objective_status` if they are known. Without the status,
 * later readers would take an unfinished build for a failure.
 */
export function toRanked(scored: readonly ScoredBranch[], weights: ScoreWeights): RankedBranch[] {
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

/**
 * Scores the branches of one rollout, by branch_index.
 *
 * Throws TypeError if there are no branches, if they belong to several rollouts, or if two share a
 * branch_index. Throws UserError if a branch has no score; the message names the first such branch and the
 * reason.
 */
export function scoreBranches(
  branches: readonly Open<RolloutBranch>[],
  verifier: ObjectiveVerifier,
): ScoredBranch[] {
  requireOneRollout(branches);
  const ordered = branches.toSorted((a, b) => a.branch_index - b.branch_index);
  requireDistinctIndices(ordered);
  return ordered.map((branch) => requireScores(branch, verifier));
}

/** Throws TypeError if two neighbours share a branch_index. */
function requireDistinctIndices(ordered: readonly Open<RolloutBranch>[]): void {
  const twin = ordered.find(
    ({ branch_index }, at) => branch_index === ordered[at + 1]?.branch_index,
  );
  if (twin === undefined) return;
  throw new TypeError(
    `rollout ${previewValue(twin.rollout_id)} has two branches with branch_index ${twin.branch_index}`,
  );
}

function requireScores(branch: Open<RolloutBranch>, verifier: ObjectiveVerifier): ScoredBranch {
  const { scored, fault } = readScores(branch, verifier);
  if (scored !== undefined) return scored;
  const place = `rollout ${previewValue(branch.rollout_id)}, branch ${branch.branch_index}:`;
  const words = [place, fault.pointer, fault.message].filter((word) => word !== "");
  throw new UserError(words.join(" "), EXIT.findings);
}

/** A branch that cannot be scored, so that its rollout cannot be ranked. */
export interface UnrankableBranch extends ScoreFault {
  readonly branchIndex: number;
}

/**
 * Returns the branches for which `rankScored` and `rankBranches` would throw UserError, in order, each with its
 * first fault. Empty if the rollout can be ranked.
 */
export function findUnrankable(
  branches: Iterable<Open<RolloutBranch>>,
  verifier: ObjectiveVerifier = buildPasses,
): UnrankableBranch[] {
  return [...branches].flatMap((branch) => {
    const { fault } = readScores(branch, verifier);
    return fault === undefined ? [] : [{ branchIndex: branch.branch_index, ...fault }];
  });
}

/** Throws TypeError unless `branches` contains at least one branch and all belong to one rollout. */
export function requireOneRollout(branches: readonly { readonly rollout_id: string }[]): void {
  const ids = [...new Set(branches.map(({ rollout_id }) => rollout_id))];
  if (ids.length === 0) throw new TypeError("no branches: expected those of one rollout");
  if (ids.length > 1) {
    throw new TypeError(`branches of ${ids.length} rollouts (${ids.join(", ")}): expected one`);
  }
}
