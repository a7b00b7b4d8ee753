import type { DpoTrainingRecord, RolloutBranchRecord } from "#generated/index.js";
import { lossWeightLabel } from "./loss-weight-label.js";
import { type PreferencePair, selectPair } from "./select-pair.js";
import { toMessages } from "./to-messages.js";
import { toTrainingProvenance } from "./to-training-provenance.js";

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
