import type { ObjectiveScore } from "#generated/index.js";

/** Relative weights of the parts of a score. Both are non-negative, and at least one is positive. */
export interface ScoreWeights {
  /** Weight of the objective verdict (0 or 1). */
  readonly objective: number;
  /** Weight of the judge's score, scaled to 0..1. */
  readonly judge: number;
}

/** Weights of the format (`rollout-wire#/$defs/RolloutBranchRecord`, `total_score`). */
export const DEFAULT_WEIGHTS: ScoreWeights = { objective: 1, judge: 0.3 };

/**
 * Throws RangeError if a weight is negative or not finite, or if both are 0, because rewards could not be
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

/** Used if there is no judge's score: the middle of the scale. */
export const NEUTRAL_JUDGE_SCORE = 5;

export interface ScoreParts {
  /** 1 if every objective verifier passed, otherwise 0. */
  readonly objective: ObjectiveScore;
  /** The judge's score, 0..10; null or absent without a judge. */
  readonly judgeScore?: number | null | undefined;
}

/**
 * Raw score of a branch: objective * weights.objective + (judge / 10) * weights.judge. It is 0..1.3 with the
 * default weights, and is never normalised. Throws RangeError if the judge's score is outside 0..10.
 */
export function totalScore(parts: ScoreParts, weights: ScoreWeights = DEFAULT_WEIGHTS): number {
  const judgeScore = parts.judgeScore ?? NEUTRAL_JUDGE_SCORE;
  if (!isJudgeScore(judgeScore)) {
    throw new RangeError(`judge score must be from 0 to ${MAX_JUDGE_SCORE}, is ${judgeScore}`);
  }
  return parts.objective * weights.objective + (judgeScore / MAX_JUDGE_SCORE) * weights.judge;
}

/**
 * Reward of a training record (`training-record#/$defs/PpoTrainingRecord`): the raw total score divided by the
 * score of a perfect run, clamped to 0..1. Pass the `weights` with which the branch was scored.
 *
 * Throws RangeError if the score is NaN, and for weights as `requireWeights` does.
 */
export function normaliseReward(total: number, weights: ScoreWeights = DEFAULT_WEIGHTS): number {
  if (Number.isNaN(total)) throw new RangeError("total score is not a number");
  return Math.min(1, Math.max(0, total / maxTotalScore(weights)));
}

/** Highest judge's score; the lowest is 0. */
export const MAX_JUDGE_SCORE = 10;

/** Tells whether `value` is a valid judge's score: a number from 0 to MAX_JUDGE_SCORE. */
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
  /** JSON Pointer (RFC 6901) into the branch; "" for the whole branch. */
  readonly pointer: string;
  /** The message without the location. */
  readonly message: string;
}
