/** How much each part of a score counts. No unit; from 0, and at least one of them above 0. */
export interface ScoreWeights {
  /** Weight of the objective verdict (0 or 1). */
  readonly objective: number;
  /** Weight of the judge's score, once that is brought to 0..1. */
  readonly judge: number;
}

/** Weights of the format (`rollout-wire#/$defs/RolloutBranchRecord`, `total_score`). */
export const DEFAULT_WEIGHTS: ScoreWeights = { objective: 1, judge: 0.3 };

/**
 * Throws RangeError when a weight is negative or not finite, or when both are 0: no reward could be
 * normalised by them.
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
