import { type PpoRecord, PROVENANCE_SOURCE, type RolloutBranchRecord } from "#generated/index.js";
import { type ExportOptions, resolveExportOptions } from "./export-options.js";
import { inBranchOrder } from "./in-branch-order.js";
import { taskHash } from "./task-hash.js";

/**
 * Layer 2 reward records of one rollout: one per branch, crashed ones too, in order of branch_index.
 * `exportedAtMs` is now by default. Throws TypeError when the branches are none, not of one rollout, or not ranked.
 */
export function toPpoRecords(
  branches: readonly RolloutBranchRecord[],
  options: Pick<Partial<ExportOptions>, "exportedAtMs"> = {},
): PpoRecord[] {
  const resolved = resolveExportOptions(options);
  return inBranchOrder(branches).map((branch) => createPpoRecord(branch, resolved));
}

/** Layer 2 record of a branch: its reward is the raw total score. It shares the branch's tool events. */
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
