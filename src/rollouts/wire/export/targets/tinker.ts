import { features } from "#generated/features.js";
import type { Message, ToolDefinition } from "#generated/index.js";
import { type TextMessage, toObjectMessages, toTextMessages } from "../../conversation/dialects.js";
import { findObstacle, findTurnOrder } from "../../conversation/obstacles.js";
import type { Preference } from "../comparison.js";
import { listOf } from "../features.js";
import { type Side, selectSide } from "../selection.js";
import { toToolsField } from "../training-records.js";
import type { ExportOptions, ExportTarget } from "./target.js";

/** A `LabeledComparison` of the Tinker Cookbook, in the form that its ComparisonBuilderFromJsonl reads. */
export interface TinkerLabeledComparison {
  comparison: {
    prompt_conversation: TextMessage[];
    /** One assistant turn, which may consist of calls. */
    completion_A: TextMessage[];
    completion_B: TextMessage[];
  };
  tools?: ToolDefinition[];
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
      tools: listOf(features.ToolDefinition),
      label: { _type: "Value", dtype: "string" },
    },
  },
  readsReasoning: false,
  findObstacle: (messages) => findObstacle(messages) ?? findTurnOrder(messages.context),
  toPreference: toLabeledComparison,
} satisfies ExportTarget;

function toLabeledComparison(
  { chosen, prompt, chosenTurn, rejectedTurn, tools }: Preference,
  { seed }: Pick<ExportOptions, "seed">,
): TinkerLabeledComparison {
  const label = selectSide(seed, chosen.rollout_id);
  const [first, second] = label === "A" ? [chosenTurn, rejectedTurn] : [rejectedTurn, chosenTurn];
  // The Cookbook's renderers parse the arguments of every call, so the text must be a JSON object.
  const toTinker = (messages: readonly Message[]): TextMessage[] =>
    toTextMessages(toObjectMessages(messages));
  return {
    comparison: {
      prompt_conversation: toTinker(prompt),
      completion_A: toTinker([first]),
      completion_B: toTinker([second]),
    },
    ...toToolsField(tools),
    label,
  };
}
