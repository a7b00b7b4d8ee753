import type { RolloutRule } from "./rule.js";

/**
 * Pairs are built by rank and rewards by score. If the two disagree, training both reinforces and penalises the
 * same answer. Branches with equal scores may be in any order. Unranked branches are ignored.
 */
export const rankFollowsScore = {
  id: "rank-follows-score",
  purpose: "no branch has a higher total_score than a branch of better rank",
  scope: "rollout",
  check(branches) {
    const ranked = branches
      .flatMap(({ rank, totalScore }, branch) =>
        rank === undefined || totalScore === undefined ? [] : [{ rank, totalScore, branch }],
      )
      .sort((a, b) => a.rank - b.rank);
    if (ranked.length < branches.length) return [];
    // Lowest score of all better ranks, and of the current rank.
    let [better, level] = [ranked[0], ranked[0]];
    const faults = [];
    for (const each of ranked) {
      if (level && each.rank > level.rank) {
        if (better && level.totalScore < better.totalScore) better = level;
        level = each;
      } else if (level && each.totalScore < level.totalScore) {
        level = each;
      }
      if (better === undefined || better.rank === each.rank) continue;
      if (each.totalScore <= better.totalScore) continue;
      const message = `rank ${each.rank}, but its total_score ${each.totalScore} is above the ${better.totalScore} of rank ${better.rank}`;
      faults.push({ branch: each.branch, pointer: "/rank", message });
    }
    return faults.sort((a, b) => a.branch - b.branch);
  },
} as const satisfies RolloutRule;
