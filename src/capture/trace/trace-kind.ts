import type { RewardTerms } from "./to-reward-data.js";

/** A kind of environment: how its steps become the parts of a `RolloutTraceStep`. */
export interface TraceKind<Prompt, Outcome> {
  /** Stands in the trace as `extra.environment`; also the file's name. */
  readonly id: string;
  readonly purpose: string;
  /** What the policy sees. It is copied at once, before the environment can go on. */
  toPrompt(prompt: Prompt): object;
  /** What came of the step. Of a step that failed only some of it is known. */
  toParts(outcome: Partial<Outcome>): StepParts;
}

/** The parts of a trace but its prompt, not yet copied. A part that is not known is absent, not empty. */
export interface StepParts {
  readonly policy_response?: object | undefined;
  readonly reward_data?: RewardTerms | undefined;
  readonly env_state?: object | undefined;
  readonly extra?: object | undefined;
}

/** What every kind of environment may say of a step. */
export interface StepOutcome {
  /** What the policy answered: a message, or its text. */
  readonly response: TraceResponse;
  /** State of the environment after the step. */
  readonly state?: object;
  /** Whatever else is to be kept. The names `environment`, `outcome`, `error` and `not_finite` are taken. */
  readonly extra?: object;
}

/** A message of chat, or its text. */
export type TraceResponse =
  | string
  | { readonly content?: unknown; readonly [field: string]: unknown };

/** Messages of chat, or the text of the only one. With tools, say: an object with `messages`. */
export type TracePrompt =
  | string
  | readonly object[]
  | { readonly messages: readonly object[]; readonly [field: string]: unknown };
