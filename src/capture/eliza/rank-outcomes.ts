import type { ScoredOutcome } from "./outcome.js";

/** A branch of a rollout: its index, and its place among the others. */
export interface RankedOutcome {
  readonly outcome: ScoredOutcome;
  readonly branchIndex: number;
  /** From 1, the best. */
  readonly rank: number;
}

/**
 * The runs of one rollout, the best first: runs that passed before those that failed, of these the ones
 * that returned before those that threw, then by score, ties by their order. No score counts as 0.
 */
export function rankOutcomes(outcomes: readonly ScoredOutcome[]): RankedOutcome[] {
  return outcomes
    .map((outcome, branchIndex) => ({ outcome, branchIndex }))
    .sort(
      (a, b) =>
        Number(b.outcome.passed) - Number(a.outcome.passed) ||
        Number(a.outcome.threw) - Number(b.outcome.threw) ||
        (b.outcome.score ?? 0) - (a.outcome.score ?? 0) ||
        a.branchIndex - b.branchIndex,
    )
    .map((each, at) => ({ ...each, rank: at + 1 }));
}
