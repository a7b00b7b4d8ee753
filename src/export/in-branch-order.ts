import type { RolloutBranchRecord } from "#generated/index.js";
import { requireRanked } from "./require-ranked.js";

/**
 * The branches of one rollout by branch_index, ascending; a new array. Throws TypeError when they are
 * none, not of one rollout, or not ranked.
 */
export function inBranchOrder(branches: readonly RolloutBranchRecord[]): RolloutBranchRecord[] {
  requireRanked(branches);
  return branches.toSorted((a, b) => a.branch_index - b.branch_index);
}
