import { formatCount } from "../../../../base/text.js";
import type { RolloutRule } from "./rule.js";

/**
 * A missing or repeated rank means that a branch was lost or that several rankings were mixed. Then the best
 * remaining branch need not be the best one. For a repeated rank, every branch but the first is reported.
 * Unranked branches are ignored. So is a rank of 0, which is invalid by itself.
 */
export const rankPermutation = {
  id: "rank-permutation",
  purpose: "the ranks of a rollout of n branches are 1 to n, once each",
  scope: "rollout",
  check(branches) {
    if (branches.some(({ rank }) => rank === undefined)) return [];
    const seen = new Set<number>();
    return branches.flatMap(({ rank = 0 }, branch) => {
      if (rank === 0) return [];
      const isRepeated = seen.has(rank);
      seen.add(rank);
      if (!isRepeated && rank <= branches.length) return [];
      const message = isRepeated
        ? `a second branch of rank ${rank} in this rollout`
        : `rank ${rank} in a rollout of ${formatCount(branches.length, "branch", "branches")}`;
      return [{ branch, pointer: "/rank", message, cause: isRepeated ? "repeated" : "too high" }];
    });
  },
} as const satisfies RolloutRule;
