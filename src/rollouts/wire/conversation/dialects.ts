import type { Message, MessageFunctionCall, MessageToolCall } from "#generated/index.js";
import { printJson } from "../../../base/json/print.js";

type CallArguments = MessageFunctionCall["arguments"];

/** A message whose calls have arguments of type `Args`. */
interface MessageWith<Args extends CallArguments> extends Message {
  tool_calls?: CallWith<Args>[];
}

interface CallWith<Args extends CallArguments> extends MessageToolCall {
  function: FunctionWith<Args>;
}

interface FunctionWith<Args extends CallArguments> extends MessageFunctionCall {
  arguments: Args;
}

/** Returns the messages with converted arguments. Absent keys stay absent. */
function mapArguments<Args extends CallArguments>(
  messages: readonly Message[],
  map: (args: CallArguments) => Args,
): MessageWith<Args>[] {
  return messages.map(
    ({ role, content, reasoning_content: thought, tool_calls: calls, ...rest }) => ({
      role,
      content,
      ...(thought !== undefined && { reasoning_content: thought }),
      ...(calls && { tool_calls: calls.map((call) => mapCall(call, map)) }),
      ...rest,
    }),
  );
}

function mapCall<Args extends CallArguments>(
  call: MessageToolCall,
  map: (args: CallArguments) => Args,
): CallWith<Args> {
  return { ...call, function: { ...call.function, arguments: map(call.function.arguments) } };
}

type ObjectArguments = Exclude<CallArguments, string>;

/** A message in which the arguments of every call are an object. */
export type ObjectMessage = MessageWith<ObjectArguments>;

/**
 * Messages for chat templates: the arguments of every call are an object. Templates that expect objects fail on
 * text, or silently encode it twice.
 *
 * Arguments that are text, because the agent's were not a JSON object, become `{"raw_arguments": <the text>}`.
 * Every template can print that, the column has a single type, and nothing is lost.
 */
export function toObjectMessages(messages: readonly Message[]): ObjectMessage[] {
  return mapArguments(messages, toObjectArguments);
}

function toObjectArguments(args: CallArguments): ObjectArguments {
  return typeof args === "string" ? { raw_arguments: args } : args;
}

/** A message in which the arguments of every call are text. */
export type TextMessage = MessageWith<string>;

/**
 * Messages for OpenAI's API: the arguments of every call are text. An object becomes its JSON text. Text that
 * the agent wrote is kept, even if it is not JSON.
 */
export function toTextMessages(messages: readonly Message[]): TextMessage[] {
  return mapArguments(messages, toTextArguments);
}

function toTextArguments(args: CallArguments): string {
  return typeof args === "string" ? args : printJson(args);
}

/** LLaMA-Factory's names for the roles of turns. */
export const SHAREGPT_ROLES = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  tool: "observation",
  call: "function_call",
} as const;

/** A turn of a conversation as text, including calls and results. */
export interface ShareGptTurn {
  role: (typeof SHAREGPT_ROLES)[keyof typeof SHAREGPT_ROLES];
  content: string;
}

/** What joins adjacent turns of a role. LLaMA-Factory 0.9.5 joins the results of parallel calls so, for every template. */
const SEPARATORS: ReadonlyMap<ShareGptTurn["role"], string> = new Map([
  [SHAREGPT_ROLES.tool, "\n</tool_response>\n<tool_response>\n"],
  [SHAREGPT_ROLES.system, "\n\n"],
]);

/** Tags that separate calls from other text, in 119 of LLaMA-Factory's 121 templates. */
const CALL_TAGS = { open: "<tool_call>", close: "</tool_call>" };

/**
 * Messages as turns in LLaMA-Factory's `sharegpt` format. The calls of a turn become one turn, and so do its
 * results, because the two sides must alternate. Adjacent system and developer messages become one system turn.
 */
export function toShareGptTurns(messages: readonly Message[]): ShareGptTurn[] {
  const turns: ShareGptTurn[] = [];
  for (const turn of messages.map(toShareGptTurn)) {
    const previous = turns.at(-1);
    const separator = SEPARATORS.get(turn.role);
    if (separator !== undefined && previous?.role === turn.role) {
      const content = `${previous.content}${separator}${turn.content}`;
      turns.splice(-1, 1, { role: turn.role, content });
    } else {
      turns.push(turn);
    }
  }
  return turns;
}

/**
 * Tells whether the text beside an assistant's calls contains a tag. LLaMA-Factory would parse the text after
 * it as a call.
 */
export function containsToolCallMarkup({ content, tool_calls: calls }: Message): boolean {
  return calls !== undefined && content.includes(CALL_TAGS.open);
}

/** One message as a turn, the arguments of its calls as objects. */
export function toShareGptTurn(message: Message): ShareGptTurn {
  const [{ role, content, tool_calls: calls } = message] = toObjectMessages([message]);
  if (calls !== undefined) {
    return { role: SHAREGPT_ROLES.call, content: toCallText(content, calls) };
  }
  return { role: SHAREGPT_ROLES[role], content };
}

/** The calls as a JSON array, after the text if there is any and then between tags. */
function toCallText(said: string, calls: readonly MessageToolCall[]): string {
  const functions = calls.map(({ function: { name, arguments: args } }) => ({
    name,
    arguments: args,
  }));
  // Escaped, so that no text in an argument looks like a tag.
  const json = JSON.stringify(functions).replaceAll("<", "\\u003c");
  return said === "" ? json : `${said}\n${CALL_TAGS.open}${json}${CALL_TAGS.close}`;
}

/**
 * Tells whether turns are a prompt that LLaMA-Factory accepts: perhaps a system turn, then the user's side and the
 * model's side in turn, the user's side first and last.
 */
export function alternates(turns: readonly ShareGptTurn[]): boolean {
  const sides = turns[0]?.role === SHAREGPT_ROLES.system ? turns.slice(1) : turns;
  const roles: readonly (readonly ShareGptTurn["role"][])[] = [
    [SHAREGPT_ROLES.user, SHAREGPT_ROLES.tool],
    [SHAREGPT_ROLES.assistant, SHAREGPT_ROLES.call],
  ];
  return sides.length % 2 === 1 && sides.every(({ role }, at) => roles[at % 2]?.includes(role));
}
