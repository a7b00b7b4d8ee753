import type { RolloutBranchRecord } from "#generated/index.js";
import { requireOneRollout } from "../scoring/require-one-rollout.js";

/**
 * The branches of one rollout by branch_index, ascending; a new array. Throws TypeError when they are
 * none, or not of one rollout.
 */
export function inBranchOrder(branches: readonly RolloutBranchRecord[]): RolloutBranchRecord[] {
  requireOneRollout(branches);
  return branches.toSorted((a, b) => a.branch_index - b.branch_index);
}
