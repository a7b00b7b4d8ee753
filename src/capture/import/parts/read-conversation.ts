import { isJsonObject, type JsonObject } from "../../../records/json-object.js";
import { type MessageContent, readContent } from "./read-content.js";
import type { RowFields } from "./row-fields.js";
import type { LoggedCall } from "./transcript.js";

/** A message in the chat format: `{role, content, tool_calls?, function_call?, tool_call_id?, name?}`. */
export interface ChatMessage {
  /** JSON Pointer into the row. */
  readonly pointer: string;
  readonly role: string;
  readonly content: MessageContent;
  readonly calls: readonly LoggedCall[];
  /** Where a call stands that the model wrote so that nobody could read it; undefined without one. */
  readonly unparsedCall: string | undefined;
  readonly callId: string | undefined;
  readonly name: string | undefined;
}

/**
 * The messages of `{type: "conversation", messages: [...]}` under a key; undefined when there is nothing, or
 * something else than a conversation.
 */
export function readConversation(
  owner: JsonObject,
  key: string,
  pointer: string,
  fields: RowFields,
): readonly ChatMessage[] | undefined {
  const conversation = fields.optionalObject(owner, key, pointer);
  if (conversation === undefined || !Object.hasOwn(conversation, "messages")) return undefined;
  const at = `${pointer}/${key}`;
  const messages = fields.list(conversation, "messages", at);
  return fields
    .objects(messages, `${at}/messages`)
    .map(([place, message]) => readMessage(message, place, fields));
}

function readMessage(message: JsonObject, pointer: string, fields: RowFields): ChatMessage {
  const { content, unparsed_tool_calls: unparsed } = message;
  const parts = toParts(content, `${pointer}/content`);
  const ofType = (type: string): [at: string, part: JsonObject][] =>
    parts.filter(([, part]) => part.type === type);
  const callParts = ofType("tool_call").flatMap(([at, part]): [string, JsonObject][] =>
    isJsonObject(part.tool_call) ? [[`${at}/tool_call`, part.tool_call]] : [],
  );
  const listed = fields.objects(
    fields.optionalList(message, "tool_calls", pointer),
    `${pointer}/tool_calls`,
  );
  // The older shape of OpenAI: one call, without an id.
  const only = fields.optionalObject(message, "function_call", pointer);
  const old: [string, JsonObject][] =
    only === undefined ? [] : [[`${pointer}/function_call`, only]];
  return {
    pointer,
    role: fields.text(message, "role", pointer),
    content: readContent(content, `${pointer}/content`, fields),
    calls: [...listed, ...old, ...callParts].map(([at, call]) => readCall(call, at, fields)),
    unparsedCall:
      Array.isArray(unparsed) && unparsed.length > 0
        ? `${pointer}/unparsed_tool_calls/0`
        : ofType("unparsed_tool_call")[0]?.[0],
    callId: fields.optionalText(message, "tool_call_id", pointer),
    name: fields.optionalText(message, "name", pointer),
  };
}

function toParts(content: unknown, pointer: string): [at: string, part: JsonObject][] {
  if (!Array.isArray(content)) return [];
  const parts: readonly unknown[] = content;
  return parts.flatMap((part, index): [string, JsonObject][] =>
    isJsonObject(part) ? [[`${pointer}/${index}`, part]] : [],
  );
}

/** `{id, function: {name, arguments}}`, as OpenAI has it, or the same without `function`. */
function readCall(call: JsonObject, pointer: string, fields: RowFields): LoggedCall {
  const nested = fields.optionalObject(call, "function", pointer);
  const [body, at] = nested === undefined ? [call, pointer] : [nested, `${pointer}/function`];
  return {
    pointer,
    callId: fields.optionalText(call, "id", pointer),
    toolName: fields.text(body, "name", at),
    args: body.arguments,
  };
}
