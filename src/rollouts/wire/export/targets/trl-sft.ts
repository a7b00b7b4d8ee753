import { features } from "#generated/features.js";
import type { RolloutBranchRecord, ToolDefinition, TrainingProvenance } from "#generated/index.js";
import { BranchConversation } from "../../conversation/conversation.js";
import { type ObjectMessage, toObjectMessages } from "../../conversation/dialects.js";
import { findObstacle } from "../../conversation/obstacles.js";
import { listOf } from "../features.js";
import { toToolsField, toTrainingProvenance } from "../training-records.js";
import type { ExportTarget } from "./target.js";

/** TRL's conversational language-modelling type. */
export interface TrlDemonstration {
  messages: ObjectMessage[];
  tools?: ToolDefinition[];
  provenance: TrainingProvenance;
}

export const trlSft = {
  id: "trl-sft",
  purpose: "TRL: solved conversations for supervised fine-tuning",
  readsToolEvents: true,
  features: {
    sft: {
      messages: listOf(features.Message),
      tools: listOf(features.ToolDefinition),
      provenance: features.TrainingProvenance,
    },
  },
  readsReasoning: true,
  findObstacle,
  toSft: toDemonstration,
} satisfies ExportTarget;

function toDemonstration(
  branch: RolloutBranchRecord,
  _options?: unknown,
  { messages, tools } = new BranchConversation(branch, { openEnd: true }),
): TrlDemonstration {
  return {
    messages: toObjectMessages(messages),
    ...toToolsField(tools),
    provenance: toTrainingProvenance(branch),
  };
}
