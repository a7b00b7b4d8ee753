import type { EntryTypeName } from "#generated/index.js";

/** The types of which several records make a rollout: before ranking, and after. */
export const BRANCH_TYPES = [
  "RolloutBranch",
  "RolloutBranchRecord",
] as const satisfies EntryTypeName[];

export type BranchType = (typeof BRANCH_TYPES)[number];

/** Whether records of the type are branches. */
export function isBranchType(type: string): type is BranchType {
  return BRANCH_TYPES.some((branchType) => branchType === type);
}
