import { toConversation, toMessage } from "../to-conversation.js";
import type { RewardTerms } from "../to-reward-data.js";
import type { StepOutcome, TraceKind, TracePrompt } from "../trace-kind.js";

export interface PreferenceOutcome extends StepOutcome {
  /** Whether the response could be compared at all: it parsed, and was not cut off. */
  readonly isValid: boolean;
  /** Terms of the reward, such as the share of comparisons that it won. */
  readonly reward?: RewardTerms;
}

/** An answer that is compared with the other answers to its prompt: see `fillPreferences`. */
export const preference: TraceKind<TracePrompt, PreferenceOutcome> = {
  id: "preference",
  purpose: "an answer whose reward comes from comparing it with the others to its prompt",
  toPrompt: toConversation,
  toParts: ({ response, isValid, reward, state, extra }) => ({
    policy_response: toMessage(response),
    reward_data: isValid === undefined ? reward : { ...reward, is_valid: isValid },
    env_state: state,
    extra,
  }),
};
