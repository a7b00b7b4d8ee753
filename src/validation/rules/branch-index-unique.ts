import type { RolloutRule } from "./rule.js";

/** Of two branches with one index nobody can say which is right, nor trace a record to its branch. */
export const branchIndexUnique = {
  id: "branch-index-unique",
  purpose: "no two branches of a rollout have the same branch_index",
  scope: "rollout",
  check(branches) {
    const seen = new Set<number>();
    return branches.flatMap(({ branchIndex }, branch) => {
      if (!seen.has(branchIndex)) {
        seen.add(branchIndex);
        return [];
      }
      const message = `a second branch ${branchIndex} of this rollout`;
      return [{ branch, pointer: "/branch_index", message }];
    });
  },
} as const satisfies RolloutRule;
