import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { toJsonText } from "../parse-log.js";
import { isEmpty, type Tally } from "../tally.js";
import { type ConvertedMessage, listObjects, placeMessages, skipRest } from "./converted.js";
import { hasKeys } from "./form.js";
import { type KnownPart, splitParts } from "./split-parts.js";

/** Fields of a request to a model of Google in which it is given what it sees. Each may have underscores or capitals. */
export const REQUEST_FIELDS = [
  ...["contents", "config", "system_instruction", "systemInstruction", "tools"],
];
const CONFIG_FIELDS = ["system_instruction", "systemInstruction", "tools"];

/** What a model of Google is given: its instruction, and the contents so far. The SDK and ADK have the former in `config`. */
export function toGoogleRequest(
  request: JsonObject,
  at: string,
  tally: Tally,
): { readonly messages: ConvertedMessage[]; readonly tools: unknown } {
  const { contents } = request;
  const config = isJsonObject(request.config) ? request.config : {};
  skipRest(config, `${at}/config`, CONFIG_FIELDS, tally);
  const told = [...toInstruction(request, at), ...toInstruction(config, `${at}/config`)];
  const asked =
    typeof contents === "string"
      ? [[`${at}/contents`, { role: "user", parts: [contents] }] as const]
      : isJsonObject(contents)
        ? [[`${at}/contents`, contents] as const]
        : placeMessages(contents, `${at}/contents`);
  return {
    messages: [...told, ...asked.flatMap((content) => fromContent(content, "user"))],
    tools: request.tools ?? config.tools,
  };
}

function toInstruction(owner: JsonObject, at: string): ConvertedMessage[] {
  const key = isEmpty(owner.system_instruction) ? "systemInstruction" : "system_instruction";
  const told = owner[key];
  if (isEmpty(told)) return [];
  const parts = isJsonObject(told) && Array.isArray(told.parts) ? told.parts : [told].flat();
  return splitParts([`${at}/${key}`, { role: "system" }], parts, toPart);
}

/** Tells whether a value is what a model of Google answered: a response with candidates, or one of them. */
export function isGoogleAnswer(value: unknown): value is JsonObject {
  return hasKeys(value, "candidates") || (isJsonObject(value) && hasKeys(value.content, "parts"));
}

/** The first answer in a response. */
export function toGoogleAnswer(value: JsonObject, at: string, tally: Tally): ConvertedMessage[] {
  const [first = [at, value] as const, ...others] = listObjects(
    value.candidates,
    `${at}/candidates`,
  );
  for (const [place, each] of others) tally.skip(place, each);
  const [place, candidate] = first;
  if (candidate !== value) skipRest(value, at, ["candidates"], tally);
  const { finish_reason: snake, finishReason: reason = snake } = candidate;
  skipRest(candidate, place, ["content", "finish_reason", "finishReason"], tally);
  const content = isJsonObject(candidate.content) ? candidate.content : {};
  return fromContent([`${place}/content`, { ...content, finish_reason: reason }], "assistant");
}

/** A content of Google as messages that every reader knows. */
export function fromContent(
  [at, { parts, ...content }]: ConvertedMessage,
  speaker: "user" | "assistant",
): ConvertedMessage[] {
  const { role } = content;
  const message = { ...content, role: role === "model" ? "assistant" : (role ?? speaker) };
  return Array.isArray(parts) ? splitParts([at, message], parts, toPart) : [[at, message]];
}

function toPart(part: JsonObject): KnownPart {
  const { function_call: snakeCall, functionCall: call = snakeCall, ...others } = part;
  const { function_response: snake, functionResponse: response = snake, ...rest } = others;
  if (isJsonObject(call)) {
    const { args, ...fields } = call;
    return { said: { ...rest, ...fields, type: "tool_call", arguments: args ?? {} } };
  }
  if (isJsonObject(response)) {
    const { id, response: output, ...fields } = response;
    return {
      result: { ...rest, ...fields, tool_call_id: id, content: toJsonText(output ?? null) },
    };
  }
  const { thought, text, ...more } = rest;
  if (typeof text === "string") {
    return { said: { ...more, type: thought === true ? "reasoning" : "text", text } };
  }
  const [kind] = Object.keys(part).filter((key) => !isEmpty(part[key]));
  return { said: { type: kind, ...part } };
}
