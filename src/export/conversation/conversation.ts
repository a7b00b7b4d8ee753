import type { Message, MessageFunctionCall, RolloutBranch } from "#generated/index.js";
import { buildMessages } from "./messages.js";
import { type EventReading, readEvents, type Turn } from "./turns.js";

/**
 * Converts a branch to a conversation in the OpenAI tool-calls format (`training-record#/$defs/Conversation`):
 * the user's task; for each turn one assistant message with its calls, directly followed by one tool message
 * per result; and the final answer, even if it is empty. Every call and every result occurs exactly once.
 *
 * Tool messages are in the order of their calls, regardless of which returned first: most chat templates print
 * no ids, so only the order shows which result belongs to which call. A result without a call follows the turn
 * during which it arrived. It names its tool only if it was captured with a name. A call without a result has
 * no tool message.
 */
export function toMessages(branch: RolloutBranch): Message[] {
  return new BranchConversation(branch).messages;
}

/**
 * The conversation of one branch. Each part is computed on first use and cached, so that all records of a
 * rollout share it, and targets that read no tool events do not pay for it. Do not modify the branch or the
 * parts.
 */
export class BranchConversation {
  readonly #branch: RolloutBranch;
  #events: EventReading | undefined;
  #messages: Message[] | undefined;

  constructor(branch: RolloutBranch) {
    this.#branch = branch;
  }

  get turns(): readonly Turn[] {
    return this.#readEvents().turns;
  }

  /** Indices of tool events that are neither calls nor results, so that no message contains them. */
  get unreadableEvents(): readonly number[] {
    return this.#readEvents().unreadable;
  }

  /** The messages that `toMessages` returns. */
  get messages(): Message[] {
    this.#messages ??= buildMessages(this.#branch, this.turns);
    return this.#messages;
  }

  /**
   * The messages before the final answer. If `findObstacle` finds no obstacle, the last one is a user or tool
   * turn, as required for a prompt.
   */
  get prompt(): Message[] {
    return this.messages.slice(0, -1);
  }

  /** All function calls, in order. */
  get calls(): MessageFunctionCall[] {
    return this.messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.map((call) => call.function),
    );
  }

  #readEvents(): EventReading {
    this.#events ??= readEvents(this.#branch.tool_call_sequence);
    return this.#events;
  }
}
