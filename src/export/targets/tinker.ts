import { features } from "#generated/features.js";
import { BranchConversation } from "../conversation/conversation.js";
import { type TextMessage, toObjectMessages, toTextMessages } from "../conversation/dialects.js";
import { type AnswerMessage, toAnswer } from "../conversation/messages.js";
import { findObstacle } from "../conversation/obstacles.js";
import { listOf } from "../features.js";
import { type PreferencePair, type Side, selectSide } from "../selection.js";
import type { ExportOptions, ExportTarget } from "./target.js";

/** A `LabeledComparison` of the Tinker Cookbook, in the form that its ComparisonBuilderFromJsonl reads. */
export interface TinkerLabeledComparison {
  comparison: {
    prompt_conversation: TextMessage[];
    completion_A: [AnswerMessage];
    completion_B: [AnswerMessage];
  };
  /** The side of the chosen answer. */
  label: Side;
}

const messages = listOf(features.Message);

export const tinker = {
  id: "tinker",
  purpose: "Tinker Cookbook: comparisons of two completions in random order",
  readsToolEvents: true,
  features: {
    dpo: {
      comparison: {
        prompt_conversation: messages,
        completion_A: messages,
        completion_B: messages,
      },
      label: { _type: "Value", dtype: "string" },
    },
  },
  findObstacle,
  toDpo: toLabeledComparison,
} satisfies ExportTarget;

function toLabeledComparison(
  { chosen, rejected }: PreferencePair,
  { seed }: Pick<ExportOptions, "seed">,
  { prompt } = new BranchConversation(chosen),
): TinkerLabeledComparison {
  const label = selectSide(seed, chosen.rollout_id);
  const [first, second] = label === "A" ? [chosen, rejected] : [rejected, chosen];
  return {
    comparison: {
      // The Cookbook's renderers parse the arguments of every call, so the text must be a JSON object.
      prompt_conversation: toTextMessages(toObjectMessages(prompt)),
      completion_A: [toAnswer(first)],
      completion_B: [toAnswer(second)],
    },
    label,
  };
}
