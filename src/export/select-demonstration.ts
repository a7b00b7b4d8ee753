import type { RolloutBranchRecord } from "#generated/index.js";
import { requireOneRollout } from "../scoring/require-one-rollout.js";

/** Why a rollout gives no demonstration, in the order in which the reasons are tested. */
export const DEMONSTRATION_REASONS = ["unknown-objective", "not-solved", "empty-answer"] as const;

export type DemonstrationReason = (typeof DEMONSTRATION_REASONS)[number];

export type DemonstrationSelection =
  | { readonly branch: RolloutBranchRecord; readonly reason?: never }
  | { readonly reason: DemonstrationReason; readonly branch?: never };

/**
 * The branch of a rollout that a model may learn by imitation, or the reason why there is none: the
 * best by rank (the lower branch_index of two), if every objective verifier passed and it answered.
 *
 * Throws TypeError when the branches are none, or not of one rollout.
 */
export function selectDemonstration(
  branches: readonly RolloutBranchRecord[],
): DemonstrationSelection {
  requireOneRollout(branches);
  const [best] = branches.toSorted((a, b) => a.rank - b.rank || a.branch_index - b.branch_index);
  if (best === undefined || best.objective_status === "unknown")
    return { reason: "unknown-objective" };
  if (best.objective_score === 0) return { reason: "not-solved" };
  return best.final_answer === "" ? { reason: "empty-answer" } : { branch: best };
}
