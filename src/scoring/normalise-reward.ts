import { DEFAULT_WEIGHTS, maxTotalScore, type ScoreWeights } from "./weights.js";

/**
 * Reward of a training record (`training-record#/$defs/PpoTrainingRecord`): the raw total score over
 * the score of a perfect run, clamped to 0..1. `weights` are those by which the branch was scored.
 *
 * Throws RangeError when the score is no number, or the weights allow no normalisation.
 */
export function normaliseReward(total: number, weights: ScoreWeights = DEFAULT_WEIGHTS): number {
  if (Number.isNaN(total)) throw new RangeError("total score is not a number");
  return Math.min(1, Math.max(0, total / maxTotalScore(weights)));
}
