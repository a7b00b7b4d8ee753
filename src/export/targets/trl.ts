import { features } from "#generated/features.js";
import type {
  PpoTrainingRecord,
  RolloutBranchRecord,
  TrainingProvenance,
} from "#generated/index.js";
import { normaliseReward } from "../../scoring/score.js";
import { BranchConversation } from "../conversation/conversation.js";
import { type ObjectMessage, toObjectMessages } from "../conversation/dialects.js";
import { type AnswerMessage, toAnswer } from "../conversation/messages.js";
import { findObstacle } from "../conversation/obstacles.js";
import { listOf } from "../features.js";
import type { PreferencePair } from "../selection.js";
import { toTrainingProvenance } from "../training-records.js";
import type { ExportOptions, ExportTarget } from "./target.js";

/**
 * TRL's conversational preference type with an explicit prompt. The answers are message lists too: if one is
 * text, or if there is no `prompt`, TRL uses the common prefix of the answers as the prompt.
 */
export interface TrlPreference {
  /** Conversation of the chosen branch; ends in a user or tool turn. */
  prompt: ObjectMessage[];
  chosen: [AnswerMessage];
  rejected: [AnswerMessage];
  provenance: TrainingProvenance;
}

/** TRL's conversational prompt-completion type with a reward. */
export interface TrlPromptCompletion {
  /** The user's task. */
  prompt: ObjectMessage[];
  /** Everything after the prompt, including calls and results. */
  completion: ObjectMessage[];
  /** 0..1, as in `training-record#/$defs/PpoTrainingRecord`. */
  reward: PpoTrainingRecord["reward"];
  provenance: TrainingProvenance;
}

const messages = listOf(features.Message);
const provenance = features.TrainingProvenance;

export const trl = {
  id: "trl",
  purpose: "TRL: conversational preferences, and completions with a reward",
  readsToolEvents: true,
  features: {
    dpo: { prompt: messages, chosen: messages, rejected: messages, provenance },
    ppo: {
      prompt: messages,
      completion: messages,
      reward: features.PpoTrainingRecord.reward,
      provenance,
    },
  },
  findObstacle,
  toDpo: toPreference,
  toPpo: toPromptCompletion,
} satisfies ExportTarget;

function toPreference(
  { chosen, rejected }: PreferencePair,
  _options?: unknown,
  { prompt } = new BranchConversation(chosen),
): TrlPreference {
  return {
    prompt: toObjectMessages(prompt),
    chosen: [toAnswer(chosen)],
    rejected: [toAnswer(rejected)],
    provenance: toTrainingProvenance(chosen),
  };
}

function toPromptCompletion(
  branch: RolloutBranchRecord,
  { weights }: Pick<ExportOptions, "weights">,
  conversation = new BranchConversation(branch),
): TrlPromptCompletion {
  const whole = toObjectMessages(conversation.messages);
  return {
    prompt: whole.slice(0, 1),
    completion: whole.slice(1),
    reward: normaliseReward(branch.total_score, weights),
    provenance: toTrainingProvenance(branch),
  };
}
