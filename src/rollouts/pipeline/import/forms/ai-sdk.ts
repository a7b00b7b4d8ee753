import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { toJsonText, withoutText } from "../parse-log.js";
import { type ConvertedMessage, placeMessages } from "./converted.js";
import { hasKeys } from "./form.js";
import { type KnownPart, splitParts } from "./split-parts.js";

/** Fields of a request in which the model is given what it sees. */
export const PROMPT_FIELDS = ["system", "prompt", "messages"] as const;

/** What a model is given by a request of the AI SDK. */
export function toPrompt(request: JsonObject, at: string): ConvertedMessage[] {
  const { system, prompt, messages } = request;
  const told = isSaid(system) ? [{ role: "system", content: system }] : [];
  const asked = isSaid(prompt) ? [{ role: "user", content: prompt }] : [];
  return [
    ...told.map((message): ConvertedMessage => [`${at}/system`, message]),
    ...placeMessages(messages, `${at}/messages`).flatMap(toModelMessages),
    ...placeMessages(prompt, `${at}/prompt`).flatMap(toModelMessages),
    ...asked.map((message): ConvertedMessage => [`${at}/prompt`, message]),
  ];
}

const isSaid = (text: unknown): text is string => typeof text === "string" && text !== "";

/** A call of the AI SDK as one of OpenAI's: `{toolCallId, toolName, input}`, with `args` in older versions. */
export function toCall(call: JsonObject): JsonObject {
  const { toolCallId: id, toolName: name, input, args, type: _, ...rest } = call;
  return { ...rest, id, function: { name, arguments: input ?? args ?? {} } };
}

/** Calls of the AI SDK, which may be JSON text, as OpenAI's; undefined if it is no list of them. */
export function toCalls(calls: unknown): JsonObject[] | undefined {
  const parsed = withoutText(calls);
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  const isCall = (call: unknown): call is JsonObject => hasKeys(call, "toolCallId", "toolName");
  return list.length > 0 && list.every(isCall) ? list.map(toCall) : undefined;
}

/**
 * A message of the AI SDK, whose parts hold calls and results, as messages that every reader knows. Other parts stay as
 * they are.
 */
export function toModelMessages([at, message]: ConvertedMessage): ConvertedMessage[] {
  const { tool_calls: calls } = message;
  const known =
    calls === undefined
      ? message
      : { ...message, tool_calls: toCalls(calls) ?? withoutText(calls) };
  const { content } = known;
  return Array.isArray(content) ? splitParts([at, known], content, toPart) : [[at, known]];
}

function toPart(part: JsonObject): KnownPart {
  if (part.type === "tool-call") return { said: { ...toCall(part), type: "tool_call" } };
  return part.type === "tool-result" ? { result: toResult(part) } : { said: part };
}

function toResult(part: JsonObject): JsonObject {
  const { toolCallId: id, toolName: name, output, result, type: _, ...rest } = part;
  const value =
    isJsonObject(output) && Object.hasOwn(output, "value") ? output.value : (output ?? result);
  const content = typeof value === "string" ? value : toJsonText(value ?? null);
  return { tool_call_id: id, name, content, ...rest };
}
