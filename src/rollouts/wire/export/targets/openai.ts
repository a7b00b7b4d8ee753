import { features } from "#generated/features.js";
import type { ToolDefinition } from "#generated/index.js";
import { callsIn } from "../../conversation/conversation.js";
import { type TextMessage, toTextMessages } from "../../conversation/dialects.js";
import { findObstacle, findTurnOrder, type LearnedMessages } from "../../conversation/obstacles.js";
import type { Preference } from "../comparison.js";
import { listOf } from "../features.js";
import { toToolsField } from "../training-records.js";
import type { ExportTarget } from "./target.js";

/**
 * A line of a preference file for OpenAI's fine-tuning API. The API rejects files with any other key, so there
 * is no provenance.
 */
export interface OpenAiPreference {
  input: { messages: TextMessage[]; tools?: ToolDefinition[] };
  /** One assistant turn of text. */
  preferred_output: TextMessage[];
  non_preferred_output: TextMessage[];
}

/** Function names that the API accepts: letters, digits, underscores and dashes, at most 64. */
const FUNCTION_NAME = /^[A-Za-z0-9_-]{1,64}$/;

const messages = listOf(features.Message);

export const openai = {
  id: "openai",
  purpose: "OpenAI: preference pairs for fine-tuning",
  readsToolEvents: true,
  features: {
    // `input` has no `tools` where none are known.
    dpo: { input: { _type: "Json" }, preferred_output: messages, non_preferred_output: messages },
  },
  readsReasoning: false,
  findObstacle: (messages) =>
    findObstacle(messages) ??
    findTurnOrder(messages.context) ??
    findToolName(messages) ??
    findCallTurn(messages),
  toPreference,
} satisfies ExportTarget;

function toPreference({ prompt, chosenTurn, rejectedTurn, tools }: Preference): OpenAiPreference {
  return {
    input: { messages: toTextMessages(prompt).map(withoutToolName), ...toToolsField(tools) },
    preferred_output: toTextMessages([chosenTurn]),
    non_preferred_output: toTextMessages([rejectedTurn]),
  };
}

/** In this API, a tool message refers to the call and does not name the tool. */
function withoutToolName(message: TextMessage): TextMessage {
  const { name: _, ...rest } = message;
  return rest;
}

/** The API rejects a whole file because of one invalid name. */
function findToolName({ context, tools = [] }: LearnedMessages): "tool-name" | undefined {
  const offered = tools.map(({ function: definition }) => definition);
  const named = [...callsIn(context), ...offered];
  return named.every(({ name }) => FUNCTION_NAME.test(name)) ? undefined : "tool-name";
}

/** The API trains on text only. */
function findCallTurn({ learned }: LearnedMessages): "call-turn" | undefined {
  return learned.some(({ tool_calls: calls }) => calls !== undefined) ? "call-turn" : undefined;
}
