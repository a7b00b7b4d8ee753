import type { RolloutBranch } from "#generated/index.js";
import type { BranchLine } from "./branch-line.js";

/** Lines whose rollout_ids have one hash, by rollout: two ids may share a hash by accident. */
export function groupById<Branch extends RolloutBranch>(
  lines: readonly BranchLine<Branch>[],
): (readonly BranchLine<Branch>[])[] {
  const id = lines[0]?.branch.rollout_id;
  // But for that accident, which costs nothing until it happens.
  if (id !== undefined && lines.every(({ branch }) => branch.rollout_id === id)) return [lines];
  const groups = new Map<string, BranchLine<Branch>[]>();
  for (const line of lines) {
    const group = groups.get(line.branch.rollout_id);
    if (group === undefined) groups.set(line.branch.rollout_id, [line]);
    else group.push(line);
  }
  return [...groups.values()];
}
