import { toConversation, toMessage } from "../to-conversation.js";
import type { RewardTerms } from "../to-reward-data.js";
import type { StepOutcome, TraceKind, TracePrompt } from "../trace-kind.js";

export interface ProblemOutcome extends StepOutcome {
  /** Terms of the reward, such as whether the answer is correct and well formed. */
  readonly reward: RewardTerms;
  /** What the answer is compared with; kept as `extra.reference`. */
  readonly reference?: unknown;
}

/** A problem with an answer that can be checked, in one step. */
export const problem: TraceKind<TracePrompt, ProblemOutcome> = {
  id: "problem",
  purpose: "one question, one answer, graded against a reference",
  toPrompt: toConversation,
  toParts: ({ response, reward, state, reference, extra }) => ({
    policy_response: toMessage(response),
    reward_data: reward,
    env_state: state,
    extra: reference === undefined ? extra : { ...extra, reference },
  }),
};
