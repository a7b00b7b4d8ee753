import { isDeepStrictEqual } from "node:util";
import { previewValue } from "../../records/preview-value.js";
import { EXIT, UserError } from "../../user-error.js";
import type { TraceStep } from "./create-tracer.js";
import type { PreferenceOutcome } from "./kinds/preference.js";
import { toMessage } from "./to-conversation.js";
import type { RewardTerms } from "./to-reward-data.js";
import type { TraceResponse } from "./trace-kind.js";

/** A trajectory of a group: its one step, which waits for what the comparison says. */
export interface ComparedTrajectory {
  /** Differs from that of the others in the group. */
  readonly id: string;
  readonly step: TraceStep<PreferenceOutcome>;
  /** The response as it was sampled, where it is known: what is filled in must be the same. */
  readonly response?: TraceResponse;
}

/** One value for each trajectory: in their order, or by their ids. */
export type PerTrajectory<Value> = readonly Value[] | ReadonlyMap<string, Value>;

/** What the comparison of a group gives. */
export interface Comparison {
  readonly responses: PerTrajectory<TraceResponse>;
  readonly isValid: PerTrajectory<boolean>;
  readonly rewards?: PerTrajectory<RewardTerms>;
}

/**
 * Finishes the steps of a group when its responses have been compared; does nothing when tracing is off. Throws UserError, and finishes none, when
 * the lists and the trajectories do not belong together: another number, an id that is missing, twice there or of
 * no trajectory, a response that is not the one that the trajectory sampled.
 */
export function fillPreferences(
  trajectories: readonly ComparedTrajectory[],
  { responses, isValid, rewards }: Comparison,
): void {
  if (trajectories.every(({ step }) => !step.enabled)) return;
  const ids = trajectories.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) refuse(`two trajectories are called ${previewValue(twice)}`);
  const answers = align("responses", responses, ids);
  const validity = align("isValid", isValid, ids);
  const terms = rewards === undefined ? undefined : align("rewards", rewards, ids);
  for (const [index, trajectory] of trajectories.entries()) {
    requireSampled(trajectory, answers[index]);
  }
  for (const [index, { step }] of trajectories.entries()) {
    step.finish({
      response: answers[index] ?? "",
      isValid: validity[index] ?? false,
      reward: terms?.[index] ?? {},
    });
  }
}

/** One value for each trajectory, in their order. */
function align<Value>(
  what: string,
  values: PerTrajectory<Value>,
  ids: readonly string[],
): readonly Value[] {
  const list = isList(values) ? values : ids.map((id) => values.get(id));
  const other = isList(values) ? undefined : [...values.keys()].find((id) => !ids.includes(id));
  if (other !== undefined) refuse(`${what} names ${nameOf(other)}, which is none of the group`);
  if (list.length !== ids.length) {
    refuse(`${what} has ${list.length} elements for ${ids.length} trajectories`);
  }
  return ids.map((id, index) => {
    const value = list[index];
    return value === undefined ? refuse(`${what} has nothing for ${nameOf(id)}`) : value;
  });
}

function isList<Value>(values: PerTrajectory<Value>): values is readonly Value[] {
  return Array.isArray(values);
}

/** A mix-up of responses is what nobody would see in the records: each would be valid. */
function requireSampled(
  { id, response }: ComparedTrajectory,
  filled: TraceResponse | undefined,
): void {
  if (response === undefined) return;
  if (!isDeepStrictEqual(toMessage(response), toMessage(filled))) {
    refuse(`responses has for ${nameOf(id)} not what it sampled`);
  }
}

function nameOf(id: string): string {
  return `trajectory ${previewValue(id)}`;
}

function refuse(message: string): never {
  throw new UserError(`preference: ${message}`, EXIT.usage);
}
