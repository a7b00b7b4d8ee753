import type { Message } from "#generated/index.js";
import { type CallArguments, type MessageWith, mapArguments } from "./map-arguments.js";

/** A message whose calls all have text as arguments. */
export type TextMessage = MessageWith<string>;

/**
 * Messages as OpenAI's API has them: the arguments of every call are text. An object becomes its JSON
 * text; text stays what the agent wrote, which need be no JSON.
 */
export function toTextMessages(messages: readonly Message[]): TextMessage[] {
  return mapArguments(messages, toTextArguments);
}

function toTextArguments(args: CallArguments): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}
