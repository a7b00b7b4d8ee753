import type { ObjectiveScore } from "#generated/index.js";

/** How much each part of a score counts. No unit; from 0, and at least one of them above 0. */
export interface ScoreWeights {
  /** Weight of the objective verdict (0 or 1). */
  readonly objective: number;
  /** Weight of the judge's score, scaled to 0..1. */
  readonly judge: number;
}

/** Weights of the format (`rollout-wire#/$defs/RolloutBranchRecord`, `total_score`). */
export const DEFAULT_WEIGHTS: ScoreWeights = { objective: 1, judge: 0.3 };

/**
 * Throws RangeError when a weight is negative or not finite, or when both are 0: a reward could not be
 * normalised.
 */
export function requireWeights({ objective, judge }: ScoreWeights): void {
  const total = objective + judge;
  if (!(objective >= 0 && judge >= 0 && total > 0 && total < Number.POSITIVE_INFINITY)) {
    throw new RangeError(
      `score weights must be finite, from 0 and not both 0: objective ${objective}, judge ${judge}`,
    );
  }
}

/** Score of a perfect run: 1.3 with the default weights. Throws RangeError as `requireWeights` does. */
export function maxTotalScore(weights: ScoreWeights = DEFAULT_WEIGHTS): number {
  requireWeights(weights);
  return weights.objective + weights.judge;
}

/** Stands in for the judge's score when there is none: the middle of the scale. */
export const NEUTRAL_JUDGE_SCORE = 5;

export interface ScoreParts {
  /** 1 when every objective verifier passed, 0 otherwise. */
  readonly objective: ObjectiveScore;
  /** Score of the judge, 0..10; null or absent when there is no judge. */
  readonly judgeScore?: number | null | undefined;
}

/**
 * Raw score of a branch: objective * weights.objective + (judge / 10) * weights.judge; 0..1.3 with
 * the default weights, and never normalised. Throws RangeError when the judge's score is outside 0..10.
 */
export function totalScore(parts: ScoreParts, weights: ScoreWeights = DEFAULT_WEIGHTS): number {
  const judgeScore = parts.judgeScore ?? NEUTRAL_JUDGE_SCORE;
  if (!isJudgeScore(judgeScore)) {
    throw new RangeError(`judge score must be from 0 to ${MAX_JUDGE_SCORE}, is ${judgeScore}`);
  }
  return parts.objective * weights.objective + (judgeScore / MAX_JUDGE_SCORE) * weights.judge;
}

/**
 * Reward of a training record (`training-record#/$defs/PpoTrainingRecord`): the raw total score over
 * the score of a perfect run, clamped to 0..1. `weights` are those by which the branch was scored.
 *
 * Throws RangeError when the score is NaN, and for weights as `requireWeights` does.
 */
export function normaliseReward(total: number, weights: ScoreWeights = DEFAULT_WEIGHTS): number {
  if (Number.isNaN(total)) throw new RangeError("total score is not a number");
  return Math.min(1, Math.max(0, total / maxTotalScore(weights)));
}

/** Highest score of a judge; the lowest is 0. */
export const MAX_JUDGE_SCORE = 10;

/** Whether `value` is a score on the judge's scale: a number from 0 to MAX_JUDGE_SCORE. */
export function isJudgeScore(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_JUDGE_SCORE;
}

/** Why a branch has no score: a value that is missing, out of range or contradicted. */
export interface ScoreFault {
  readonly id:
    | "no-objective"
    | "objective-score-range"
    | "judge-score-range"
    | "status-agrees-with-score"
    | "build-agrees-with-score";
  /** JSON Pointer (RFC 6901) into the branch; "" when it is the whole branch. */
  readonly pointer: string;
  /** A sentence without its place. */
  readonly message: string;
}
