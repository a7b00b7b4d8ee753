import {
  MESSAGE_TOOL_CALL_TYPE,
  type Message,
  type MessageFunctionCall,
  type MessageToolCall,
} from "#generated/index.js";
import { isSameJson } from "../../../base/json/equality.js";

/**
 * Index of the first message in which two conversations differ in what a model reads or writes; the length of the
 * shorter one if it is a beginning of the other. Ids of calls may differ, because every run makes its own: they must
 * only name the same calls. Other fields than those of `toComparedMessage` do not count: logs add times and counts,
 * which no model ever saw. From the message `actsFrom` on, assistant turns differ only in their calls, whatever they say.
 */
export function findDivergence(
  one: readonly Message[],
  other: readonly Message[],
  actsFrom = Number.POSITIVE_INFINITY,
): number {
  const ids = new SameIds();
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const [a, b] = [one[index], other[index]];
    if (a === undefined || b === undefined) return index;
    const areTurns = a.role === "assistant" && b.role === "assistant";
    const isSame = areTurns && index >= actsFrom ? areSameCalls : isSameMessage;
    if (!isSame(a, b, ids)) return index;
  }
  return length;
}

/**
 * A message with the fields that are compared, and no others, so that the trainer gets nothing that was not compared:
 * role, content, reasoning that is not empty, name and arguments of calls; for other roles than the assistant's also
 * name and answered call, which an assistant message does not have.
 */
export function toComparedMessage(message: Message): Message {
  const { role, content, reasoning_content: thought = "", tool_calls: calls } = message;
  const { tool_call_id: answered, name } = message;
  const isAssistant = role === "assistant";
  return {
    role,
    content,
    ...(thought !== "" && { reasoning_content: thought }),
    ...(calls !== undefined && { tool_calls: calls.map(toComparedCall) }),
    ...(!isAssistant && answered !== undefined && { tool_call_id: answered }),
    ...(!isAssistant && name !== undefined && { name }),
  };
}

function toComparedCall({ id, function: called }: MessageToolCall): MessageToolCall {
  return { id, type: MESSAGE_TOOL_CALL_TYPE, function: toComparedFunction(called) };
}

function toComparedFunction({ name, arguments: args }: MessageFunctionCall): MessageFunctionCall {
  return { name, arguments: args };
}

function isSameMessage(one: Message, other: Message, ids: SameIds): boolean {
  // Most differences are here.
  if (one.role !== other.role || one.content !== other.content) return false;
  const { tool_calls: _, tool_call_id: answered, ...rest } = toComparedMessage(one);
  const { tool_calls: __, tool_call_id: otherAnswered, ...otherRest } = toComparedMessage(other);
  return (
    areSameCalls(one, other, ids) &&
    ids.areSame(answered, otherAnswered) &&
    isSameJson(rest, otherRest)
  );
}

/** Whether two turns make the same calls in the same order; two turns without a call do. */
function areSameCalls(
  { tool_calls: calls = [] }: Message,
  { tool_calls: others = [] }: Message,
  ids: SameIds,
): boolean {
  return (
    calls.length === others.length &&
    calls.every((call, index) => isSameCall(call, others[index], ids))
  );
}

function isSameCall(
  one: MessageToolCall,
  other: MessageToolCall | undefined,
  ids: SameIds,
): boolean {
  if (other === undefined) return false;
  ids.add(one.id, other.id);
  return isSameJson(toComparedFunction(one.function), toComparedFunction(other.function));
}

/** Ids of two conversations that name the same call. */
class SameIds {
  readonly #ones = new Map<string, number>();
  readonly #others = new Map<string, number>();
  #calls = 0;

  /** A repeated id names the latest call. */
  add(one: string, other: string): void {
    this.#ones.set(one, this.#calls);
    this.#others.set(other, this.#calls);
    this.#calls += 1;
  }

  /** Ids of no call are the same if they are equal. */
  areSame(one: string | undefined, other: string | undefined): boolean {
    if (one === undefined || other === undefined) return one === other;
    const [call, otherCall] = [this.#ones.get(one), this.#others.get(other)];
    return call === undefined ? otherCall === undefined && one === other : call === otherCall;
  }
}
