import { toConversation, toMessage } from "../to-conversation.js";
import type { RewardTerms } from "../to-reward-data.js";
import type { StepOutcome, TraceKind, TracePrompt } from "../trace-kind.js";

export interface MultiplayerOutcome extends StepOutcome {
  /** The player whose turn it was; kept as `extra.player`. */
  readonly player: string;
  /** The reward of each player by name, or terms of it. */
  readonly rewards?: RewardTerms;
  /** Whether the game ends with this step; kept as `env_state.done`. */
  readonly isDone?: boolean;
}

/** A turn of a game. What other players said is, to the policy, said by users. */
export const multiplayer: TraceKind<TracePrompt, MultiplayerOutcome> = {
  id: "multiplayer",
  purpose: "one player's turn in a game of several",
  toPrompt: toConversation,
  toParts: ({ response, player, rewards, isDone, state, extra }) => ({
    policy_response: toMessage(response),
    reward_data: rewards,
    env_state: isDone === undefined ? state : { ...state, done: isDone },
    extra: player === undefined ? extra : { ...extra, player },
  }),
};
