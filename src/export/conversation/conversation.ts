import type { Message, MessageFunctionCall, RolloutBranch } from "#generated/index.js";
import { buildMessages } from "./messages.js";
import { type EventReading, readEvents, type Turn } from "./turns.js";

/**
 * Conversation of a branch in the OpenAI tool-calls format (`training-record#/$defs/Conversation`):
 * the user's task; for each turn one assistant message with its calls, and directly after it one tool
 * message per result; the final answer last, also when it is empty. Every call and every result is in
 * it exactly once.
 *
 * Tool messages follow the order of their calls, whichever returned first: most chat templates
 * render no ids, so only the order says which result belongs to which call. A result without a
 * call follows the turn during which it arrived; it names its call only when it named one
 * itself. A call without a result has no tool message.
 */
export function toMessages(branch: RolloutBranch): Message[] {
  return new BranchConversation(branch).messages;
}

/**
 * The conversation of one branch. Each part is computed on first use and kept, so that all records of
 * a rollout share it, and a target that reads no tool events pays nothing. The branch must not change
 * meanwhile, nor may the parts.
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

  /** Indices of the tool events that are neither a call nor a result, and so are in no message. */
  get unreadableEvents(): readonly number[] {
    return this.#readEvents().unreadable;
  }

  /** As `toMessages` gives them. */
  get messages(): Message[] {
    this.#messages ??= buildMessages(this.#branch, this.turns);
    return this.#messages;
  }

  /**
   * The messages before the final answer. The last is a user or tool turn, as a prompt requires, when
   * `findObstacle` finds nothing in the branch.
   */
  get prompt(): Message[] {
    return this.messages.slice(0, -1);
  }

  /** Every function call, in order. */
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
