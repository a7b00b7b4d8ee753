import { features } from "#generated/features.js";
import type { RolloutBranchRecord, ToolDefinition, TrainingProvenance } from "#generated/index.js";
import { BranchConversation } from "../../conversation/conversation.js";
import { type ObjectMessage, toObjectMessages } from "../../conversation/dialects.js";
import {
  type ConversationObstacle,
  findObstacle,
  findTurnOrder,
} from "../../conversation/obstacles.js";
import { listOf } from "../features.js";
import { toToolsField, toTrainingProvenance } from "../training-records.js";
import type { ExportTarget } from "./target.js";

/** TRL's conversational unpaired preference type. */
export interface TrlLabelled {
  /** Everything up to the turn that ends the conversation, including calls and results. */
  prompt: ObjectMessage[];
  /** The final answer only, or the calls that nothing follows: KTOTrainer learns every token of a completion, even those of tool results. */
  completion: ObjectMessage[];
  tools?: ToolDefinition[];
  /** Whether every objective verifier passed. */
  label: boolean;
  provenance: TrainingProvenance;
}

const messages = listOf(features.Message);

export const trlKto = {
  id: "trl-kto",
  purpose: "TRL: final answers, each labelled good or bad",
  readsToolEvents: true,
  features: {
    ppo: {
      prompt: messages,
      completion: messages,
      tools: listOf(features.ToolDefinition),
      label: { _type: "Value", dtype: "bool" },
      provenance: features.TrainingProvenance,
    },
  },
  readsReasoning: true,
  findUnrewarded,
  toPpo: toLabelled,
} satisfies ExportTarget;

function findUnrewarded(
  branch: RolloutBranchRecord,
  { messages: whole, endIndex }: BranchConversation,
): "empty-answer" | ConversationObstacle | undefined {
  if (endIndex === undefined) return "empty-answer";
  const learned = whole.slice(endIndex, endIndex + 1);
  // A crash may be learned as bad, but nothing said is no good answer.
  const isEmpty = learned.every(({ content, tool_calls: calls }) => content === "" && !calls);
  if (isGood(branch) && isEmpty) return "empty-answer";
  const context = whole.slice(0, endIndex);
  return findObstacle({ context, learned }) ?? findTurnOrder(context);
}

function toLabelled(
  branch: RolloutBranchRecord,
  _options?: unknown,
  conversation = new BranchConversation(branch, { openEnd: true }),
): TrlLabelled {
  const whole = toObjectMessages(conversation.messages);
  const end = conversation.endIndex ?? whole.length;
  return {
    prompt: whole.slice(0, end),
    completion: whole.slice(end, end + 1),
    ...toToolsField(conversation.tools),
    label: isGood(branch),
    provenance: toTrainingProvenance(branch),
  };
}

function isGood({ objective_score: score }: RolloutBranchRecord): boolean {
  return score === 1;
}
