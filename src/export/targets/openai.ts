import { features } from "#generated/features.js";
import { BranchConversation } from "../conversation/conversation.js";
import { type TextMessage, toTextMessages } from "../conversation/dialects.js";
import { type AnswerMessage, toAnswer } from "../conversation/messages.js";
import { findObstacle } from "../conversation/obstacles.js";
import { listOf } from "../features.js";
import type { PreferencePair } from "../selection.js";
import type { ExportTarget } from "./target.js";

/**
 * A line of a preference file for OpenAI's fine-tuning API. The API rejects files with any other key, so there
 * is no provenance. Rollouts do not contain the tool definitions (`input.tools`).
 */
export interface OpenAiPreference {
  input: { messages: TextMessage[] };
  preferred_output: [AnswerMessage];
  non_preferred_output: [AnswerMessage];
}

/** Function names that the API accepts: letters, digits, underscores and dashes, at most 64. */
const FUNCTION_NAME = /^[A-Za-z0-9_-]{1,64}$/;

const messages = listOf(features.Message);

export const openai = {
  id: "openai",
  purpose: "OpenAI: preference pairs for fine-tuning",
  readsToolEvents: true,
  features: {
    dpo: { input: { messages }, preferred_output: messages, non_preferred_output: messages },
  },
  findObstacle: (branch, conversation = new BranchConversation(branch)) =>
    findObstacle(branch, conversation) ?? findToolName(conversation),
  toDpo: toPreference,
} satisfies ExportTarget;

function toPreference(
  { chosen, rejected }: PreferencePair,
  _options?: unknown,
  { prompt } = new BranchConversation(chosen),
): OpenAiPreference {
  return {
    input: { messages: toTextMessages(prompt).map(withoutToolName) },
    preferred_output: [toAnswer(chosen)],
    non_preferred_output: [toAnswer(rejected)],
  };
}

/** In this API, a tool message refers to the call and does not name the tool. */
function withoutToolName(message: TextMessage): TextMessage {
  const { name: _, ...rest } = message;
  return rest;
}

/** The API rejects a whole file because of one invalid name. */
function findToolName({ calls }: BranchConversation): "tool-name" | undefined {
  return calls.every(({ name }) => FUNCTION_NAME.test(name)) ? undefined : "tool-name";
}
