import {
  MESSAGE_TOOL_CALL_TYPE,
  type Message,
  type MessageFunctionCall,
  type MessageToolCall,
  type RolloutBranch,
} from "#generated/index.js";
import { printJson } from "../../../base/json/print.js";
import { findUnexportable } from "../../../base/json/unexportable.js";
import { isJsonObject, tryParseJson } from "../../../base/json/value.js";
import type { ToolResult } from "./events.js";
import type { PairedCall } from "./pairing.js";
import type { Turn } from "./turns.js";

/**
 * Builds the messages that `toMessages` documents. `readTurns` reads the tool events, where they are needed. With
 * `openEnd`, no empty answer follows calls that nothing answered.
 */
export function buildMessages(
  { context, task, task_role: role = "user", turns, final_answer }: RolloutBranch,
  readTurns: () => readonly Turn[],
  { reasoning, openEnd }: { readonly reasoning: boolean; readonly openEnd: boolean },
): Message[] {
  const recorded = (messages: readonly Message[] = []): Message[] =>
    messages.map((message) => toRecordedMessage(message, reasoning));
  const given = [...recorded(context?.messages), { role, content: task }];
  if (turns !== undefined) return [...given, ...recorded(turns)];
  const events = readTurns().flatMap(toTurnMessages);
  const isOpen = openEnd && final_answer === "" && events.at(-1)?.role === "assistant";
  return [
    ...given,
    ...events,
    ...(isOpen ? [] : [{ role: "assistant", content: final_answer } as const]),
  ];
}

/** A message as it was recorded, with the arguments of its calls as `toArguments` converts them. */
function toRecordedMessage(message: Message, reasoning: boolean): Message {
  const { role, content, reasoning_content: thought, tool_calls: calls, ...rest } = message;
  return {
    role,
    content,
    ...(reasoning && thought !== undefined && { reasoning_content: thought }),
    ...(calls !== undefined && {
      tool_calls: calls.map(({ function: called, ...call }) => ({
        ...call,
        function: { ...called, arguments: toArguments(called.arguments) },
      })),
    }),
    ...rest,
  };
}

function toTurnMessages({ calls, strayResults }: Turn): Message[] {
  return [
    ...(calls.length > 0 ? [toAssistantMessage(calls)] : []),
    ...calls.flatMap(toToolMessages),
    ...strayResults.map(toStrayToolMessage),
  ];
}

function toAssistantMessage(calls: readonly PairedCall[]): Message {
  const texts = calls.map(({ call }) => call.text).filter((text) => text !== "");
  return {
    role: "assistant",
    content: [...new Set(texts)].join("\n"),
    tool_calls: calls.map(toMessageToolCall),
  };
}

function toMessageToolCall({ id, call }: PairedCall): MessageToolCall {
  return {
    id,
    type: MESSAGE_TOOL_CALL_TYPE,
    function: { name: call.name, arguments: toArguments(call.args) },
  };
}

function toToolMessages({ id, call, result }: PairedCall): Message[] {
  if (result === undefined) return [];
  return [{ role: "tool", content: toContent(result), tool_call_id: id, name: call.name }];
}

function toStrayToolMessage(result: ToolResult): Message {
  return {
    role: "tool",
    content: toContent(result),
    ...(result.callId === undefined ? {} : { tool_call_id: result.callId }),
    ...(result.name === undefined ? {} : { name: result.name }),
  };
}

/**
 * Converts the arguments of a call for a message (`training-record#/$defs/MessageFunctionCall`): to an object
 * where possible, because 21 of 22 public chat templates print objects and only 5 print strings.
 *
 * An object is kept. Text that is a JSON object becomes that object, unless it is nested too deeply for export.
 * Undefined or null becomes {}. Other text is kept, and any other value becomes its JSON text.
 */
export function toArguments(args: unknown): MessageFunctionCall["arguments"] {
  if (args === undefined || args === null) return {};
  if (isJsonObject(args)) return args;
  if (typeof args !== "string") return printJson(args);
  const parsed = tryParseJson(args, refuseInexactNumber);
  // The depth of JSON inside a text has not been checked before.
  const exportable = isJsonObject(parsed) && findUnexportable(parsed) === undefined;
  return exportable ? parsed : args;
}

/**
 * Beyond 2^53 - 1, JSON.parse rounds silently, and 1e999 becomes Infinity: a 19-digit id would change. Such
 * arguments stay the text that the agent wrote.
 */
function refuseInexactNumber(_key: string, value: unknown): unknown {
  if (typeof value !== "number") return value;
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) {
    return value;
  }
  throw new RangeError(`${value} is not exactly what was written`);
}

/**
 * Content of a tool message (`training-record#/$defs/Message`). It is always text, because four public chat
 * templates fail on null. Text is kept, no output is "", and any other value becomes its JSON text. If a tool
 * failed without output, the content is the error: its text, its `message`, or its JSON text.
 */
export function toContent({ output, error }: Pick<ToolResult, "output" | "error">): string {
  const text = toText(output);
  return text === "" && error !== undefined ? toErrorText(error) : text;
}

function toErrorText(error: unknown): string {
  const message = isJsonObject(error) ? error.message : undefined;
  return typeof message === "string" && message !== "" ? message : toText(error);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : printJson(value);
}
