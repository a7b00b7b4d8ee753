import { toConversation, toMessage } from "../to-conversation.js";
import type { RewardTerms } from "../to-reward-data.js";
import type { StepOutcome, TraceKind, TracePrompt } from "../trace-kind.js";

export interface MessageOutcome extends StepOutcome {
  readonly reward: RewardTerms;
  /** Whether the episode ends with this step; kept as `env_state.done`. */
  readonly isDone?: boolean;
}

/** A conversation of several steps, whose history the environment extends in place. */
export const message: TraceKind<TracePrompt, MessageOutcome> = {
  id: "message",
  purpose: "one turn of a conversation with an environment",
  toPrompt: toConversation,
  toParts: ({ response, reward, isDone, state, extra }) => ({
    policy_response: toMessage(response),
    reward_data: reward,
    env_state: isDone === undefined ? state : { ...state, done: isDone },
    extra,
  }),
};
