import { EXIT, UserError } from "../../../base/user-error.js";
import {
  type RewardTerms,
  type StepOutcome,
  type TraceKind,
  type TracePrompt,
  toConversation,
  toMessage,
} from "./kind.js";

/** How a step of a distillation ended. */
export interface DistillationOutcome extends StepOutcome {
  /** Name of the teacher model; becomes `extra.teacher`. */
  readonly teacher?: string;
}

/** Prompt-only distillation: the environment gives prompts, and the teacher gives the reward later. */
export const distillation: TraceKind<TracePrompt, DistillationOutcome> = {
  id: "distillation",
  purpose: "a prompt whose answer the environment does not grade",
  toPrompt: toConversation,
  toParts: ({ response, state, teacher, extra }) => ({
    policy_response: toMessage(response),
    env_state: state,
    extra: teacher === undefined ? extra : { ...extra, teacher },
  }),
};

/** How a step of a message environment ended. */
export interface MessageOutcome extends StepOutcome {
  readonly reward: RewardTerms;
  /** Whether the episode ends with this step; becomes `env_state.done`. */
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

/** How a step of one of several players ended. */
export interface MultiplayerOutcome extends StepOutcome {
  /** The player whose turn it was; becomes `extra.player`. */
  readonly player: string;
  /** The reward of each player by name, or terms of it. */
  readonly rewards?: RewardTerms;
  /** Whether the game ends with this step; becomes `env_state.done`. */
  readonly isDone?: boolean;
}

/** A turn of a game. To the policy, the other players are users. */
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

/** How a step ended that is compared with others. */
export interface PreferenceOutcome extends StepOutcome {
  /** Whether the response could be compared: it parsed, and was not cut off. */
  readonly isValid: boolean;
  /** Terms of the reward, such as the share of comparisons won. */
  readonly reward?: RewardTerms;
}

/** An answer that is compared with the other answers to the same prompt: see `fillPreferences`. */
export const preference: TraceKind<TracePrompt, PreferenceOutcome> = {
  id: "preference",
  purpose: "an answer whose reward comes from a comparison with other answers to the same prompt",
  toPrompt: toConversation,
  toParts: ({ response, isValid, reward, state, extra }) => ({
    policy_response: toMessage(response),
    reward_data: isValid === undefined ? reward : { ...reward, is_valid: isValid },
    env_state: state,
    extra,
  }),
};

/** How a step of a problem ended. */
export interface ProblemOutcome extends StepOutcome {
  /** Terms of the reward, such as whether the answer is correct and well formed. */
  readonly reward: RewardTerms;
  /** What the answer is compared with; becomes `extra.reference`. */
  readonly reference?: unknown;
}

/** A problem with a checkable answer, in one step. */
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

/** A criterion of a rubric, with its grade. */
export interface GradedCriterion {
  readonly name: string;
  readonly score: number | boolean;
  readonly weight?: number;
  /** The grader's explanation; becomes a part of `extra.reasons`. */
  readonly reason?: string;
}

/** How a step ended that a rubric grades. */
export interface RubricOutcome extends StepOutcome {
  readonly criteria: readonly GradedCriterion[];
  /** The total reward. */
  readonly total?: number;
}

/** An answer that is graded by several criteria. */
export const rubric: TraceKind<TracePrompt, RubricOutcome> = {
  id: "rubric",
  purpose: "an answer that a grader scores by several criteria",
  toPrompt: toConversation,
  toParts: ({ response, criteria, total, state, extra }) => ({
    policy_response: toMessage(response),
    reward_data: toTerms(criteria, total),
    env_state: state,
    extra: { ...extra, ...pick(criteria, "reasons", ({ reason }) => reason) },
  }),
};

/** Throws UserError for two criteria with one name: one would overwrite the other's score. */
function toTerms(
  criteria: readonly GradedCriterion[] | undefined,
  total: number | undefined,
): RewardTerms | undefined {
  if (criteria === undefined) return total === undefined ? undefined : { total };
  const names = new Set<string>();
  for (const { name } of criteria) {
    if (names.has(name)) {
      throw new UserError(`rubric: two criteria are called ${JSON.stringify(name)}`, EXIT.usage);
    }
    names.add(name);
  }
  return {
    total,
    ...pick(criteria, "scores", ({ score }) => score),
    ...pick(criteria, "weights", ({ weight }) => weight),
  };
}

/** One property of the criteria by their names, as `field`; an empty object if no criterion has it. */
function pick<Value>(
  criteria: readonly GradedCriterion[] = [],
  field: string,
  read: (criterion: GradedCriterion) => Value | undefined,
): Readonly<Record<string, Readonly<Record<string, Value>>>> {
  const entries = criteria.flatMap((criterion): [string, Value][] => {
    const value = read(criterion);
    return value === undefined ? [] : [[criterion.name, value]];
  });
  return entries.length === 0 ? {} : { [field]: Object.fromEntries(entries) };
}

/** All kinds of environments, by id. */
export const traceKinds = {
  problem,
  distillation,
  rubric,
  preference,
  message,
  multiplayer,
} as const;
