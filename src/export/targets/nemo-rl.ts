import { features } from "#generated/features.js";
import { BranchConversation } from "../conversation/conversation.js";
import { type ObjectMessage, toObjectMessages } from "../conversation/dialects.js";
import { type AnswerMessage, toAnswer } from "../conversation/messages.js";
import { findObstacle } from "../conversation/obstacles.js";
import { listOf } from "../features.js";
import type { PreferencePair } from "../selection.js";
import type { ExportTarget } from "./target.js";

/** An answer of NeMo RL's preference format. */
export interface NemoRlCompletion {
  /** From 0, the best. */
  rank: number;
  completion: [AnswerMessage];
}

/** A record of NeMo RL's preference format: answers to a context, with ranks. */
export interface NemoRlPreference {
  context: ObjectMessage[];
  completions: NemoRlCompletion[];
}

const messages = listOf(features.Message);

export const nemoRl = {
  id: "nemo-rl",
  purpose: "NeMo RL: ranked completions of a context",
  readsToolEvents: true,
  features: {
    dpo: {
      context: messages,
      completions: listOf({ rank: { _type: "Value", dtype: "int64" }, completion: messages }),
    },
  },
  findObstacle,
  toDpo: toRankedCompletions,
} satisfies ExportTarget;

function toRankedCompletions(
  { chosen, rejected }: PreferencePair,
  _options?: unknown,
  { prompt } = new BranchConversation(chosen),
): NemoRlPreference {
  return {
    context: toObjectMessages(prompt),
    completions: [chosen, rejected].map((branch, rank) => ({
      rank,
      completion: [toAnswer(branch)],
    })),
  };
}
