import type { ObjectiveStatus, Open, RolloutBranch } from "#generated/index.js";
import { previewValue } from "../../../base/text.js";
import { type ObjectiveVerifier, readObjective } from "./objective.js";
import { isJudgeScore, MAX_JUDGE_SCORE, type ScoreFault, type ScoreParts } from "./score.js";

/** Scores one branch from 0 (worst) to 10 (best), usually by a model. */
export type Judge = (branch: Open<RolloutBranch>) => number | PromiseLike<number>;

/** A branch that the judge failed to score. */
export interface JudgeFailure {
  readonly branchIndex: number;
  /** The error that the judge threw, or a RangeError if its result is not a number from 0 to 10. */
  readonly error: unknown;
}

/** A branch after the judge was called. It has no new score if the judge failed. */
interface JudgedBranch {
  readonly scored: ScoredBranch;
  readonly failure?: JudgeFailure;
}

/**
 * Asks the judge, if there is one, to score a branch that has no judge's score. Never rejects, so that one
 * failure does not affect the other branches.
 */
export async function judgeBranch(
  scored: ScoredBranch,
  judge: Judge | undefined,
): Promise<JudgedBranch> {
  const { branch, parts } = scored;
  if (judge === undefined || parts.judgeScore !== undefined) return { scored };
  try {
    const judgeScore = requireJudgeScore(await judge(branch));
    return { scored: { ...scored, parts: { ...parts, judgeScore } } };
  } catch (error) {
    return { scored, failure: { branchIndex: branch.branch_index, error } };
  }
}

function requireJudgeScore(value: unknown): number {
  if (isJudgeScore(value)) return value;
  throw new RangeError(
    `judge score must be from 0 to ${MAX_JUDGE_SCORE}, is ${previewValue(value)}`,
  );
}

export interface ScoredBranch {
  readonly branch: Open<RolloutBranch>;
  /** The objective verdict as a word; undefined if there is none. */
  readonly status: ObjectiveStatus | undefined;
  readonly parts: ScoreParts;
}

/** A scored branch, or why the branch has no score. */
type ScoreReading =
  | { readonly scored: ScoredBranch; readonly fault?: never }
  | { readonly fault: ScoreFault; readonly scored?: never };

/**
 * Reads the scores of a captured branch: the objective verdict as `readObjective` does, and `judge_score`, an
 * open field of an unranked branch (0..10; null counts as absent).
 */
export function readScores(branch: Open<RolloutBranch>, verifier: ObjectiveVerifier): ScoreReading {
  const { score, status, fault } = readObjective(branch, verifier);
  if (fault !== undefined) return { fault };
  const judgeScore = branch.judge_score ?? undefined;
  if (judgeScore === undefined || isJudgeScore(judgeScore)) {
    return { scored: { branch, status, parts: { objective: score, judgeScore } } };
  }
  const message = `must be a number from 0 to ${MAX_JUDGE_SCORE}, is ${previewValue(judgeScore)}`;
  return { fault: { id: "judge-score-range", pointer: "/judge_score", message } };
}
