import { features } from "#generated/features.js";
import type { RolloutBranchRecord, TrainingProvenance } from "#generated/index.js";
import { BranchConversation } from "../conversation/conversation.js";
import { type ObjectMessage, toObjectMessages } from "../conversation/dialects.js";
import { findObstacle, findTextArguments } from "../conversation/obstacles.js";
import { listOf } from "../features.js";
import { toTrainingProvenance } from "../training-records.js";
import type { ExportTarget } from "./target.js";

/** TRL's conversational language-modelling type. */
export interface TrlDemonstration {
  messages: ObjectMessage[];
  provenance: TrainingProvenance;
}

export const trlSft = {
  id: "trl-sft",
  purpose: "TRL: solved conversations for supervised fine-tuning",
  readsToolEvents: true,
  features: {
    sft: { messages: listOf(features.Message), provenance: features.TrainingProvenance },
  },
  // In a preference, calls are context. Here the model learns to write them.
  findObstacle: (branch, conversation = new BranchConversation(branch)) =>
    findObstacle(branch, conversation) ?? findTextArguments(branch, conversation),
  toSft: toDemonstration,
} satisfies ExportTarget;

function toDemonstration(
  branch: RolloutBranchRecord,
  _options?: unknown,
  { messages } = new BranchConversation(branch),
): TrlDemonstration {
  return {
    messages: toObjectMessages(messages),
    provenance: toTrainingProvenance(branch),
  };
}
