/** Top of the judge's scale, which begins at 0. */
export const MAX_JUDGE_SCORE = 10;

/** Whether `value` is a score on the judge's scale: a number from 0 to MAX_JUDGE_SCORE. */
export function isJudgeScore(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_JUDGE_SCORE;
}
