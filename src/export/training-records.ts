import {
  type DpoTrainingRecord,
  type PpoTrainingRecord,
  PROVENANCE_SOURCE,
  type RolloutBranch,
  type RolloutBranchRecord,
  type TrainingProvenance,
} from "#generated/index.js";
import { normaliseReward } from "../scoring/score.js";
import { toMessages } from "./conversation/messages.js";
import { lossWeightLabel } from "./conversation/turns.js";
import { taskHash } from "./flat-records.js";
import { inBranchOrder, type PreferencePair, selectPair } from "./selection.js";
import { type ExportOptions, resolveExportOptions } from "./targets/target.js";

/**
 * Layer 3 preference record of one rollout; null when it gives no pair (`selectPair` says why).
 * Throws TypeError when the branches are none, not of one rollout, or not ranked.
 */
export function toDpoTrainingRecord(
  branches: readonly RolloutBranchRecord[],
): DpoTrainingRecord | null {
  const { pair } = selectPair(branches);
  return pair === undefined ? null : createDpoTrainingRecord(pair);
}

/** Layer 3 record of a pair: conversation and label are those of the chosen branch. */
export function createDpoTrainingRecord({ chosen, rejected }: PreferencePair): DpoTrainingRecord {
  const messages = toMessages(chosen);
  return {
    messages,
    prompt_messages: messages.slice(0, -1),
    chosen: chosen.final_answer,
    rejected: rejected.final_answer,
    loss_weight_tokens: lossWeightLabel(chosen),
    provenance: toTrainingProvenance(chosen),
  };
}

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

/** Origin of a Layer 3 record made from `branch`. */
export function toTrainingProvenance({ rollout_id, task }: RolloutBranch): TrainingProvenance {
  return { source: PROVENANCE_SOURCE, rollout_id, task_hash: taskHash(task) };
}
