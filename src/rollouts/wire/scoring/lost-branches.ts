import { isJsonObject } from "../../../base/json/value.js";

/**
 * The field that `import` and `rank` add to the branches of a rollout of which they left others out as invalid: the number
 * of these. The format does not declare it. Without it, later commands would take the rollout for complete.
 */
export const LOST_BRANCHES = "lost_branches";

/** Number of branches of a rollout that earlier commands left out. */
export function countLost(branches: readonly object[]): number {
  const counts = branches.map((branch) => (isJsonObject(branch) ? branch[LOST_BRANCHES] : 0));
  return Math.max(0, ...counts.filter((count) => Number.isSafeInteger(count)).map(Number));
}
