import type { Message } from "#generated/index.js";
import { type CallArguments, type MessageWith, mapArguments } from "./map-arguments.js";

type ObjectArguments = Exclude<CallArguments, string>;

/** A message whose calls all have an object as arguments. */
export type ObjectMessage = MessageWith<ObjectArguments>;

/**
 * Messages for chat templates: the arguments of every call are an object, because templates that take
 * objects raise on text, or encode it twice without a word.
 *
 * Arguments that are text, because the agent's were no JSON object, become
 * `{"raw_arguments": <the text>}`: every template renders that, a file has one type in that place,
 * and nothing is lost.
 */
export function toObjectMessages(messages: readonly Message[]): ObjectMessage[] {
  return mapArguments(messages, toObjectArguments);
}

function toObjectArguments(args: CallArguments): ObjectArguments {
  return typeof args === "string" ? { raw_arguments: args } : args;
}
