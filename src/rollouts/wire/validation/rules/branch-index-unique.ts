import type { RolloutRule } from "./rule.js";

/** If two branches share an index, references to it are ambiguous. */
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
      const message = `a second branch with branch_index ${branchIndex} in this rollout`;
      return [{ branch, pointer: "/branch_index", message }];
    });
  },
} as const satisfies RolloutRule;
