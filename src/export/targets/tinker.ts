import { features } from "#generated/features.js";
import { type TextMessage, toObjectMessages, toTextMessages } from "../conversation/dialects.js";
import { type AnswerMessage, toAnswer, toPrompt } from "../conversation/messages.js";
import { findObstacle } from "../conversation/obstacles.js";
import { listOf } from "../features.js";
import type { PreferencePair } from "../selection.js";
import { type Side, selectSide } from "../selection.js";
import type { ExportOptions, ExportTarget } from "./target.js";

/** A `LabeledComparison` of the Tinker Cookbook, as its ComparisonBuilderFromJsonl reads it. */
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
): TinkerLabeledComparison {
  const label = selectSide(seed, chosen.rollout_id);
  const [first, second] = label === "A" ? [chosen, rejected] : [rejected, chosen];
  return {
    comparison: {
      // Its renderers parse the text of every call's arguments: it has to be that of an object.
      prompt_conversation: toTextMessages(toObjectMessages(toPrompt(chosen))),
      completion_A: [toAnswer(first)],
      completion_B: [toAnswer(second)],
    },
    label,
  };
}
