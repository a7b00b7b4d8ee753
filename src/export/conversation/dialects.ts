import type { Message, MessageFunctionCall, MessageToolCall } from "#generated/index.js";

/** What the arguments of a call can be in a message. */
export type CallArguments = MessageFunctionCall["arguments"];

/** A message whose calls have arguments of the type `Args`. */
export interface MessageWith<Args extends CallArguments> extends Message {
  tool_calls?: CallWith<Args>[];
}

interface CallWith<Args extends CallArguments> extends MessageToolCall {
  function: FunctionWith<Args>;
}

interface FunctionWith<Args extends CallArguments> extends MessageFunctionCall {
  arguments: Args;
}

/** The same messages with other arguments; everything else stays, and what is absent stays absent. */
export function mapArguments<Args extends CallArguments>(
  messages: readonly Message[],
  map: (args: CallArguments) => Args,
): MessageWith<Args>[] {
  return messages.map(({ role, content, tool_calls: calls, ...rest }) => ({
    role,
    content,
    ...(calls && { tool_calls: calls.map((call) => mapCall(call, map)) }),
    ...rest,
  }));
}

function mapCall<Args extends CallArguments>(
  call: MessageToolCall,
  map: (args: CallArguments) => Args,
): CallWith<Args> {
  return { ...call, function: { ...call.function, arguments: map(call.function.arguments) } };
}

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

/** Roles of the turns: LLaMA-Factory's own names of the four kinds. */
export const SHAREGPT_ROLES = {
  user: "user",
  assistant: "assistant",
  call: "function_call",
  result: "observation",
} as const;

/** A turn of a conversation in which all is text, calls and results too. */
export interface ShareGptTurn {
  role: (typeof SHAREGPT_ROLES)[keyof typeof SHAREGPT_ROLES];
  content: string;
}

/** What LLaMA-Factory 0.9.5 puts between the results of parallel calls, for every template. */
const BETWEEN_RESULTS = "\n</tool_response>\n<tool_response>\n";

/** The tags by which it tells calls from what the model said beside them (119 of its 121 templates). */
const CALL_TAGS = { open: "<tool_call>", close: "</tool_call>" };

/**
 * Messages as turns of LLaMA-Factory's `sharegpt` formatting: the calls of a turn are one turn, and so
 * are its results, because turns of the two sides must alternate.
 */
export function toShareGptTurns(messages: readonly Message[]): ShareGptTurn[] {
  const turns: ShareGptTurn[] = [];
  for (const turn of toObjectMessages(messages).map(toTurn)) {
    const previous = turns.at(-1);
    if (turn.role === SHAREGPT_ROLES.result && previous?.role === turn.role) {
      turns.splice(-1, 1, joinResults(previous, turn));
    } else {
      turns.push(turn);
    }
  }
  return turns;
}

/**
 * Whether an assistant message says, beside its calls, what LLaMA-Factory would take for a call: it
 * parses what stands between the first pair of tags.
 */
export function holdsToolCallMarkup({ content, tool_calls: calls }: Message): boolean {
  return calls !== undefined && content.includes(CALL_TAGS.open);
}

function toTurn({ role, content, tool_calls: calls }: Message): ShareGptTurn {
  if (calls !== undefined) {
    return { role: SHAREGPT_ROLES.call, content: toCallText(content, calls) };
  }
  return { role: role === "tool" ? SHAREGPT_ROLES.result : SHAREGPT_ROLES[role], content };
}

/** The calls as a JSON array; after what the model said, between tags. */
function toCallText(said: string, calls: readonly MessageToolCall[]): string {
  const functions = calls.map(({ function: { name, arguments: args } }) => ({
    name,
    arguments: args,
  }));
  // Escaped, no text in an argument can be taken for a tag.
  const json = JSON.stringify(functions).replaceAll("<", "\\u003c");
  return said === "" ? json : `${said}\n${CALL_TAGS.open}${json}${CALL_TAGS.close}`;
}

function joinResults(first: ShareGptTurn, second: ShareGptTurn): ShareGptTurn {
  return { role: first.role, content: `${first.content}${BETWEEN_RESULTS}${second.content}` };
}
