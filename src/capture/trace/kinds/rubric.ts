import { EXIT, UserError } from "../../../user-error.js";
import { toConversation, toMessage } from "../to-conversation.js";
import type { RewardTerms } from "../to-reward-data.js";
import type { StepOutcome, TraceKind, TracePrompt } from "../trace-kind.js";

/** One criterion of a rubric, as it was graded. */
export interface GradedCriterion {
  readonly name: string;
  readonly score: number | boolean;
  readonly weight?: number;
  /** The grader's words; kept as `extra.reasons`. */
  readonly reason?: string;
}

export interface RubricOutcome extends StepOutcome {
  readonly criteria: readonly GradedCriterion[];
  /** The reward that they make together. */
  readonly total?: number;
}

/** An answer that is graded criterion by criterion. */
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

/** Throws UserError for two criteria of one name: one would take the other's score. */
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

/** What the criteria say of one thing, by their names; nothing when none of them does. */
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
