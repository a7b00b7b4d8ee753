import type { RolloutBranch } from "#generated/index.js";
import type { BranchLine } from "./branch-line.js";

/** Lines whose rollout_ids have one hash, by rollout: two ids may share a hash by accident. */
export function groupById<Branch extends RolloutBranch>(
  lines: readonly BranchLine<Branch>[],
): BranchLine<Branch>[][] {
  const groups = new Map<string, BranchLine<Branch>[]>();
  for (const line of lines) {
    const group = groups.get(line.branch.rollout_id);
    if (group === undefined) groups.set(line.branch.rollout_id, [line]);
    else group.push(line);
  }
  return [...groups.values()];
}
