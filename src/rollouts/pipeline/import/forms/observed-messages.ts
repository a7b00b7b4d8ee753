import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { roleOf } from "../conversation/dialects.js";
import { withoutText } from "../parse-log.js";
import type { Tally } from "../tally.js";
import { PROMPT_FIELDS, toCalls, toModelMessages, toPrompt } from "./ai-sdk.js";
import { type ConvertedMessage, listObjects, placeMessages, skipRest } from "./converted.js";
import { hasKeys } from "./form.js";
import { fromGenAi, isGenAiMessage } from "./gen-ai.js";
import {
  fromContent,
  isGoogleAnswer,
  REQUEST_FIELDS,
  toGoogleAnswer,
  toGoogleRequest,
} from "./google.js";
import { findAnswer } from "./langsmith.js";
import { isMessage } from "./message-list.js";
import { isItemList, isResponseItem, toItemMessages } from "./responses-items.js";

/** Messages that readers know, and what stands beside them. */
interface Observed {
  readonly messages: ConvertedMessage[];
  readonly tools?: unknown;
  /** What a response repeats of its request. */
  readonly given?: ConvertedMessage[];
}

/** What a model was given, in any of the shapes that Langfuse keeps. */
export function readGiven(input: unknown, at: string, tally: Tally): Observed {
  if (!isMessage(input) && isJsonObject(input)) {
    const isGoogle = Object.hasOwn(input, "contents");
    skipRest(input, at, isGoogle ? REQUEST_FIELDS : [...PROMPT_FIELDS, "tools"], tally);
    if (isGoogle) return toGoogleRequest(input, at, tally);
    return fromHandler(toPrompt(input, at).flatMap(toKnownMessages), input.tools);
  }
  return fromHandler(toMessages(input, at, "user", tally), undefined);
}

/** LangChain's handlers write definitions of tools among the messages, and the name of a tool as the role of its result. */
function fromHandler(messages: readonly ConvertedMessage[], tools: unknown): Observed {
  const isTool = ([, { role, content }]: ConvertedMessage): boolean =>
    role === "tool" && hasKeys(content, "type", "function");
  const defined = messages.filter(isTool).map(([, { content }]) => content);
  const called = new Set(messages.flatMap(([, { tool_calls: calls }]) => listNames(calls)));
  const named = (message: JsonObject): JsonObject => {
    const { role } = message;
    const isResult = typeof role === "string" && !roleOf(message) && called.has(role);
    return isResult ? { ...message, role: "tool", name: role } : message;
  };
  const said = messages.filter((message) => !isTool(message));
  return {
    messages: said.map(([at, message]) => [at, named(message)]),
    tools: tools ?? (defined.length > 0 ? defined : undefined),
  };
}

const listNames = (calls: unknown): unknown[] =>
  listObjects(calls).map(([, call]) =>
    isJsonObject(call.function) ? call.function.name : call.name,
  );

/** Fields of a whole response that are read: of the Responses API, and of chat completions. */
const RESPONSE_FIELDS = [
  ...["output", "instructions", "tools", "choices", "id", "object", "created"],
  "incomplete_details",
];

/** What a model answered, alone or in a whole response. */
export function readAnswer(output: unknown, at: string, tally: Tally): Observed {
  if (isGoogleAnswer(output)) return { messages: toGoogleAnswer(output, at, tally) };
  if (isChoice(output)) return { messages: toChoice(output, at, tally) };
  if (!hasKeys(output, "output") && !hasKeys(output, "choices")) {
    return { messages: toMessages(output, at, "assistant", tally) };
  }
  skipRest(output, at, RESPONSE_FIELDS, tally);
  const { instructions, tools, choices, incomplete_details: lack } = output;
  const [choice, ...others] = listObjects(choices, `${at}/choices`);
  for (const [place, each] of others) tally.skip(place, each);
  const messages =
    choice && isChoice(choice[1])
      ? toChoice(choice[1], choice[0], tally)
      : toMessages(output, at, "assistant", tally);
  const isTold = typeof instructions === "string" && instructions !== "";
  const told = { role: "system", content: instructions };
  return {
    given: isTold ? [[`${at}/instructions`, told]] : [],
    messages: withFields(messages, isJsonObject(lack) ? { finish_reason: lack.reason } : {}),
    tools,
  };
}

/** Messages with fields of the response that they make up, unless they say otherwise. */
export const withFields = (
  messages: readonly ConvertedMessage[],
  fields: JsonObject,
): ConvertedMessage[] => messages.map(([at, message]) => [at, { ...fields, ...message }]);

/** Tells whether a value is a choice of chat completions, alone in events of OpenTelemetry. */
const isChoice = (value: unknown): value is JsonObject =>
  isJsonObject(value) && isMessage(withoutText(value.message));

function toChoice(choice: JsonObject, at: string, tally: Tally): ConvertedMessage[] {
  const message = withoutText(choice.message);
  skipRest(choice, at, ["message", "finish_reason"], tally);
  const ended = { finish_reason: choice.finish_reason };
  return toKnownMessages([`${at}/message`, { ...ended, ...(isJsonObject(message) && message) }]);
}

/** A list of messages, one message, calls alone, or a text that somebody says. */
function toMessages(value: unknown, at: string, speaker: string, tally: Tally): ConvertedMessage[] {
  if (typeof value === "string") return [[at, { role: speaker, content: value }]];
  if (isMessage(value)) return toKnownMessages([at, value]);
  if (isItemList(value)) return toItemMessages(value, at);
  const calls = toCalls(value);
  if (calls) return [[at, { role: speaker, content: "", tool_calls: calls }]];
  if (isJsonObject(value) && speaker === "assistant") {
    const { output } = value;
    const isItems = Array.isArray(output) && output.some(isResponseItem);
    const found = isItems ? toItemMessages(output, `${at}/output`) : findAnswer(value, at, tally);
    return found.length > 0 ? found : [[at, { role: speaker, ...value }]];
  }
  return placeMessages(value, at).flatMap(toKnownMessages);
}

/**
 * A message of the AI SDK, of OpenTelemetry's conventions, of OpenInference, Google or Koog as messages that every reader
 * knows.
 */
export function toKnownMessages(placed: ConvertedMessage): ConvertedMessage[] {
  const [at, message] = placed;
  if (isJsonObject(message.message) && message.role === undefined) {
    return toKnownMessages(fromOpenInference(at, message, message.message));
  }
  if (Array.isArray(message.parts)) {
    return isGenAiMessage(message) ? fromGenAi(placed) : fromContent(placed, "user");
  }
  const calls = readKoogCalls(message.content);
  if (calls === undefined) return toModelMessages(placed);
  return [[at, { ...message, role: "assistant", content: "", tool_calls: calls }]];
}

/** Langfuse puts attributes such as `0.message.tool_calls.0.tool_call.id` into each other. */
function fromOpenInference(at: string, holder: JsonObject, inner: JsonObject): ConvertedMessage {
  const { message: _, ...rest } = holder;
  const { tool_calls: calls, contents, ...said } = inner;
  const listInner = (list: unknown, key: string): unknown =>
    listObjects(list).map(([, each]) => each[key] ?? each);
  return [
    `${at}/message`,
    {
      ...{ ...rest, ...said },
      ...(calls !== undefined && { tool_calls: listInner(calls, "tool_call") }),
      ...(contents !== undefined && { content: listInner(contents, "message_content") }),
    },
  ];
}

/** Koog writes calls as the JSON text of a list where others write what is said; undefined if it is none. */
function readKoogCalls(content: unknown): readonly unknown[] | undefined {
  const calls = typeof content === "string" ? withoutText(content) : undefined;
  const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
  const isCall = (call: unknown): boolean =>
    hasKeys(call, "id", "type", "function") && hasKeys(call.function, "name", "arguments");
  return list.length > 0 && list.every(isCall) ? list : undefined;
}
