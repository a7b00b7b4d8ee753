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
