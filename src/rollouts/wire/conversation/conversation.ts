import type {
  Message,
  MessageFunctionCall,
  RolloutBranch,
  ToolDefinition,
} from "#generated/index.js";
import { buildMessages } from "./messages.js";
import { type EventReading, readEvents, type Turn } from "./turns.js";

/**
 * Converts a branch to a conversation in the OpenAI tool-calls format (`training-record#/$defs/Conversation`):
 * the messages of its context, the task in its `task_role`, and its turns.
 *
 * A branch without `turns` gets them from its tool events: for each turn one assistant message with its calls,
 * directly followed by one tool message per result; and the final answer, even if it is empty. Every call and
 * every result occurs exactly once. Tool messages are in the order of their calls, regardless of which returned
 * first: most chat templates print no ids, so only the order shows which result belongs to which call. A result
 * without a call follows the turn during which it arrived. It names its tool only if it was captured with a
 * name. A call without a result has no tool message.
 */
export function toMessages(branch: RolloutBranch): Message[] {
  return new BranchConversation(branch).messages;
}

interface ConversationOptions {
  /** Whether the messages keep what the model thought before it spoke. Default: true. */
  readonly reasoning?: boolean;
  /**
   * Whether the conversation may end in calls. Otherwise the answer of a branch without `turns` follows, even if it is
   * empty. Default: false.
   */
  readonly openEnd?: boolean;
}

/**
 * The conversation of one branch. Each part is computed on first use and cached, so that all records of a
 * rollout share it, and targets that read no tool events do not pay for it. Do not modify the branch or the
 * parts.
 */
export class BranchConversation {
  readonly branch: RolloutBranch;
  readonly #options: Required<ConversationOptions>;
  #events: EventReading | undefined;
  #messages: Message[] | undefined;

  constructor(
    branch: RolloutBranch,
    { reasoning = true, openEnd = false }: ConversationOptions = {},
  ) {
    this.branch = branch;
    this.#options = { reasoning, openEnd };
  }

  /** The tool events by turn. */
  get eventTurns(): readonly Turn[] {
    return this.#readEvents().turns;
  }

  /**
   * Indices of tool events that are neither calls nor results, so that no message contains them. None if the
   * branch has `turns`, which the messages are made of.
   */
  get unreadableEvents(): readonly number[] {
    return this.branch.turns === undefined ? this.#readEvents().unreadable : [];
  }

  /** The messages that `toMessages` returns; see the options. */
  get messages(): Message[] {
    this.#messages ??= buildMessages(this.branch, () => this.eventTurns, this.#options);
    return this.#messages;
  }

  /** Index of the task among the messages. */
  get taskIndex(): number {
    return this.branch.context?.messages?.length ?? 0;
  }

  /**
   * Number of messages up to where the model begins: the task, or what users say between it and the model's first turn.
   */
  get promptEnd(): number {
    const after = this.messages.slice(this.taskIndex + 1);
    const given = after.slice(
      0,
      Math.max(
        after.findIndex(({ role }) => role === "assistant"),
        0,
      ),
    );
    const last = given.findLastIndex(({ role }) => role === "user");
    return this.taskIndex + 1 + last + 1;
  }

  /**
   * Index of the final answer: the last assistant message after the task. Undefined if there is none, or if it calls
   * tools: what the model said before those calls is no answer.
   */
  get answerIndex(): number | undefined {
    const index = this.messages.findLastIndex(({ role }) => role === "assistant");
    const calls = this.messages[index]?.tool_calls;
    return index > this.taskIndex && calls === undefined ? index : undefined;
  }

  /**
   * Index of the turn that ends the conversation: calls that nothing follows, such as `finish`, or the final answer.
   * Undefined if there is neither.
   */
  get endIndex(): number | undefined {
    return this.endsInCalls ? this.messages.length - 1 : this.answerIndex;
  }

  /** Whether the last message calls tools. */
  get endsInCalls(): boolean {
    const last = this.messages.length - 1;
    return last > this.taskIndex && this.messages[last]?.tool_calls !== undefined;
  }

  /** The tools that the model was offered; undefined if there were none, or they are unknown. */
  get tools(): readonly ToolDefinition[] | undefined {
    const { tools = [] } = this.branch.context ?? {};
    return tools.length > 0 ? tools : undefined;
  }

  /** Whether the model called tools after the task, and none are known to have been offered. */
  get lacksTools(): boolean {
    return this.tools === undefined && this.messages.some(({ tool_calls: calls }) => calls);
  }

  /** All function calls after the task, in order. */
  get calls(): MessageFunctionCall[] {
    return callsIn(this.messages.slice(this.taskIndex));
  }

  #readEvents(): EventReading {
    this.#events ??= readEvents(this.branch.tool_call_sequence);
    return this.#events;
  }
}

/** All function calls in messages, in order. */
export function callsIn(messages: readonly Message[]): MessageFunctionCall[] {
  return messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function));
}
