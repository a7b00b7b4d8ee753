import { features } from "#generated/features.js";
import type { ToolDefinition } from "#generated/index.js";
import { type ObjectMessage, toObjectMessages } from "../../conversation/dialects.js";
import { findObstacle, findTurnOrder } from "../../conversation/obstacles.js";
import type { Preference } from "../comparison.js";
import { listOf } from "../features.js";
import { toToolsField } from "../training-records.js";
import type { ExportTarget } from "./target.js";

/** An answer of NeMo RL's preference format. */
export interface NemoRlCompletion {
  /** From 0, the best. */
  rank: number;
  /** One assistant turn, which may consist of calls. */
  completion: ObjectMessage[];
}

/** A record of NeMo RL's preference format: answers to a context, with ranks. */
export interface NemoRlPreference {
  context: ObjectMessage[];
  completions: NemoRlCompletion[];
  tools?: ToolDefinition[];
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
      tools: listOf(features.ToolDefinition),
    },
  },
  readsReasoning: true,
  findObstacle: (messages) => findObstacle(messages) ?? findTurnOrder(messages.context),
  toPreference: toRankedCompletions,
} satisfies ExportTarget;

function toRankedCompletions({
  prompt,
  chosenTurn,
  rejectedTurn,
  tools,
}: Preference): NemoRlPreference {
  return {
    context: toObjectMessages(prompt),
    completions: [chosenTurn, rejectedTurn].map((turn, rank) => ({
      rank,
      completion: toObjectMessages([turn]),
    })),
    ...toToolsField(tools),
  };
}
