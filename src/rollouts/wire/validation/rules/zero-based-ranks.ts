import type { RolloutRule } from "./rule.js";

const FIX = "add 1 to each, or rank it again";

/** What is said of a branch whose rank is 0 where the other branches of its rollout are not known. */
export const RANK_IS_ZERO = `if the ranks of this rollout count from 0, ${FIX}`;

/**
 * The schema rejects a rank of 0, but only in the branch that has it. This rule names the cause, once per rollout: at
 * the branch of rank 0. Any other set of ranks is up to `rank-permutation`.
 */
export const zeroBasedRanks = {
  id: "zero-based-ranks",
  purpose: "the ranks of a rollout count from 1",
  scope: "rollout",
  check(branches) {
    const ranks = new Set(branches.map(({ rank }) => rank));
    if (!ranks.has(0) || ranks.size < branches.length) return [];
    if (branches.some(({ rank = branches.length }) => rank >= branches.length)) return [];
    const branch = branches.findIndex(({ rank }) => rank === 0);
    const message = `the ranks of this rollout count from 0: ${FIX}`;
    return [{ branch, pointer: "/rank", message }];
  },
} as const satisfies RolloutRule;
