import type { PpoTrainingRecord, RolloutBranchRecord } from "#generated/index.js";
import { normaliseReward } from "../scoring/normalise-reward.js";
import { type ExportOptions, resolveExportOptions } from "./export-options.js";
import { inBranchOrder } from "./in-branch-order.js";
import { lossWeightLabel } from "./loss-weight-label.js";
import { toMessages } from "./to-messages.js";
import { toTrainingProvenance } from "./to-training-provenance.js";

/**
 * Layer 3 reward records of one rollout: one per branch, crashed ones too, in order of branch_index.
 * `weights` are those by which the branches were scored, the format's by default. Throws TypeError
 * when the branches are none, not of one rollout, or not ranked.
 */
export function toPpoTrainingRecords(
  branches: readonly RolloutBranchRecord[],
  options: Pick<Partial<ExportOptions>, "weights"> = {},
): PpoTrainingRecord[] {
  const resolved = resolveExportOptions(options);
  return inBranchOrder(branches).map((branch) => createPpoTrainingRecord(branch, resolved));
}

/** Layer 3 record of a branch, with its reward normalised to 0..1. */
export function createPpoTrainingRecord(
  branch: RolloutBranchRecord,
  { weights }: Pick<ExportOptions, "weights">,
): PpoTrainingRecord {
  return {
    messages: toMessages(branch),
    reward: normaliseReward(branch.total_score, weights),
    loss_weight_tokens: lossWeightLabel(branch),
    provenance: toTrainingProvenance(branch),
  };
}
