import { features } from "#generated/features.js";
import type {
  PpoTrainingRecord,
  RolloutBranchRecord,
  ToolDefinition,
  TrainingProvenance,
} from "#generated/index.js";
import { BranchConversation } from "../../conversation/conversation.js";
import { type ObjectMessage, toObjectMessages } from "../../conversation/dialects.js";
import { findObstacle, findTurnOrder } from "../../conversation/obstacles.js";
import { normaliseReward } from "../../scoring/score.js";
import type { Preference } from "../comparison.js";
import { listOf } from "../features.js";
import { toPairProvenance, toToolsField, toTrainingProvenance } from "../training-records.js";
import type { ExportOptions, ExportTarget } from "./target.js";

/**
 * TRL's conversational preference type with an explicit prompt. The answers are message lists too: if one is
 * text, or if there is no `prompt`, TRL uses the common prefix of the answers as the prompt.
 */
export interface TrlPreference {
  /** The messages that both branches share; ends in a user or tool turn. */
  prompt: ObjectMessage[];
  /** One assistant turn, which may consist of calls. */
  chosen: ObjectMessage[];
  rejected: ObjectMessage[];
  tools?: ToolDefinition[];
  provenance: TrainingProvenance;
}

/** TRL's conversational prompt-completion type with a reward. */
export interface TrlPromptCompletion {
  /** Everything up to where the model begins. */
  prompt: ObjectMessage[];
  /** The rest, including calls and results. */
  completion: ObjectMessage[];
  tools?: ToolDefinition[];
  /** 0..1, as in `training-record#/$defs/PpoTrainingRecord`. */
  reward: PpoTrainingRecord["reward"];
  provenance: TrainingProvenance;
}

const messages = listOf(features.Message);
const tools = listOf(features.ToolDefinition);
const provenance = features.TrainingProvenance;

export const trl = {
  id: "trl",
  purpose: "TRL: conversational preferences, and completions with a reward",
  readsToolEvents: true,
  features: {
    dpo: { prompt: messages, chosen: messages, rejected: messages, tools, provenance },
    ppo: {
      prompt: messages,
      completion: messages,
      tools,
      reward: features.PpoTrainingRecord.reward,
      provenance,
    },
  },
  readsReasoning: true,
  findObstacle: (messages) => findObstacle(messages) ?? findTurnOrder(messages.context),
  toPreference,
  findUnrewarded: (_branch, { messages: whole, promptEnd }) =>
    findTurnOrder(whole.slice(0, promptEnd)),
  toPpo: toPromptCompletion,
} satisfies ExportTarget;

function toPreference(preference: Preference): TrlPreference {
  const { prompt, chosenTurn, rejectedTurn, tools } = preference;
  return {
    prompt: toObjectMessages(prompt),
    chosen: toObjectMessages([chosenTurn]),
    rejected: toObjectMessages([rejectedTurn]),
    ...toToolsField(tools),
    provenance: toPairProvenance(preference),
  };
}

function toPromptCompletion(
  branch: RolloutBranchRecord,
  { weights }: Pick<ExportOptions, "weights">,
  conversation = new BranchConversation(branch, { openEnd: true }),
): TrlPromptCompletion {
  const whole = toObjectMessages(conversation.messages);
  const { promptEnd } = conversation;
  return {
    prompt: whole.slice(0, promptEnd),
    completion: whole.slice(promptEnd),
    ...toToolsField(conversation.tools),
    reward: normaliseReward(branch.total_score, weights),
    provenance: toTrainingProvenance(branch),
  };
}
