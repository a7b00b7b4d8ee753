import { toConversation, toMessage } from "../to-conversation.js";
import type { StepOutcome, TraceKind, TracePrompt } from "../trace-kind.js";

export interface DistillationOutcome extends StepOutcome {
  /** Name of the model whose answers are learned from; kept as `extra.teacher`. */
  readonly teacher?: string;
}

/** Prompt-only distillation: the environment gives prompts and no reward, which comes from the teacher later. */
export const distillation: TraceKind<TracePrompt, DistillationOutcome> = {
  id: "distillation",
  purpose: "a prompt alone, whose answer the environment does not grade",
  toPrompt: toConversation,
  toParts: ({ response, state, teacher, extra }) => ({
    policy_response: toMessage(response),
    env_state: state,
    extra: teacher === undefined ? extra : { ...extra, teacher },
  }),
};
