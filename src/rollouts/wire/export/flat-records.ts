import {
  type DpoRecord,
  type PpoRecord,
  PROVENANCE_SOURCE,
  type RolloutBranchRecord,
} from "#generated/index.js";
import type { ConversationObstacle } from "../conversation/obstacles.js";
import { taskHash } from "../conversation/task-hash.js";
import { inBranchOrder, type PreferencePair, selectPair } from "./selection.js";
import { type ExportOptions, resolveExportOptions } from "./targets/target.js";

/**
 * Creates the Layer 2 preference record of one rollout; null if there is no pair (`selectPair` gives the
 * reason), or if its task is not a user's. The default of `exportedAtMs` is the current time. Throws TypeError if there are no branches, if
 * they belong to several rollouts, or if they are not ranked.
 */
export function toDpoRecord(
  branches: readonly RolloutBranchRecord[],
  options: Pick<Partial<ExportOptions>, "exportedAtMs"> = {},
): DpoRecord | null {
  const { pair } = selectPair(branches);
  if (pair === undefined || findFlatObstacle(pair.chosen) !== undefined) return null;
  return createDpoRecord(pair, resolveExportOptions(options));
}

/** Why a branch has no flat record: its prompt is the task alone, which trainers read as a user's message. */
export function findFlatObstacle({
  task_role: role = "user",
}: RolloutBranchRecord): (ConversationObstacle & "turn-order") | undefined {
  return role === "user" ? undefined : "turn-order";
}

/** Creates the Layer 2 record of a pair. It shares the tool events with the chosen branch. */
export function createDpoRecord(
  { chosen, rejected }: PreferencePair,
  { exportedAtMs }: Pick<ExportOptions, "exportedAtMs">,
): DpoRecord {
  return {
    prompt: chosen.task,
    chosen: chosen.final_answer,
    rejected: rejected.final_answer,
    tool_call_sequence: chosen.tool_call_sequence,
    provenance: {
      source: PROVENANCE_SOURCE,
      rollout_id: chosen.rollout_id,
      chosen_branch: chosen.branch_index,
      rejected_branch: rejected.branch_index,
      objective_score: { chosen: chosen.objective_score, rejected: rejected.objective_score },
      exported_at_ms: exportedAtMs,
      n_gram_hash: taskHash(chosen.task),
    },
  };
}

/**
 * Creates the Layer 2 reward records of one rollout: one per branch, including crashed ones, in order of
 * branch_index; none if its task is not a user's. The default of `exportedAtMs` is the current time. Throws TypeError if there are no branches,
 * if they belong to several rollouts, or if they are not ranked.
 */
export function toPpoRecords(
  branches: readonly RolloutBranchRecord[],
  options: Pick<Partial<ExportOptions>, "exportedAtMs"> = {},
): PpoRecord[] {
  const resolved = resolveExportOptions(options);
  return inBranchOrder(branches)
    .filter((branch) => findFlatObstacle(branch) === undefined)
    .map((branch) => createPpoRecord(branch, resolved));
}

/**
 * Creates the Layer 2 record of a branch. Its reward is the raw total score. It shares the tool events with the
 * branch.
 */
export function createPpoRecord(
  branch: RolloutBranchRecord,
  { exportedAtMs }: Pick<ExportOptions, "exportedAtMs">,
): PpoRecord {
  return {
    prompt: branch.task,
    completion: branch.final_answer,
    reward: branch.total_score,
    tool_call_sequence: branch.tool_call_sequence,
    provenance: {
      source: PROVENANCE_SOURCE,
      rollout_id: branch.rollout_id,
      branch_index: branch.branch_index,
      objective_score: branch.objective_score,
      exported_at_ms: exportedAtMs,
      n_gram_hash: taskHash(branch.task),
    },
  };
}
