import { features } from "#generated/features.js";
import type { ExportOptions } from "../export-options.js";
import { listOf } from "../features/list-of.js";
import { findObstacle } from "../find-obstacle.js";
import type { PreferencePair } from "../select-pair.js";
import { type Side, selectSide } from "../select-side.js";
import { type AnswerMessage, toAnswer } from "../to-answer.js";
import { toObjectMessages } from "../to-object-messages.js";
import { toPrompt } from "../to-prompt.js";
import { type TextMessage, toTextMessages } from "../to-text-messages.js";
import type { ExportTarget } from "./target.js";

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
