import type { ObjectiveScore } from "#generated/index.js";
import { isJudgeScore, MAX_JUDGE_SCORE } from "./is-judge-score.js";
import { DEFAULT_WEIGHTS, type ScoreWeights } from "./weights.js";

/** What counts as the judge's score when there is no judge: the middle of the scale. */
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
