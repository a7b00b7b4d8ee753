import { isDeepStrictEqual } from "node:util";
import { previewValue } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { type RewardTerms, type TraceResponse, toMessage } from "./kind.js";
import type { PreferenceOutcome } from "./kinds.js";
import type { TraceStep } from "./tracer.js";

/** A trajectory of a group: its one step, which waits for the comparison. */
export interface ComparedTrajectory {
  /** Unique in the group. */
  readonly id: string;
  readonly step: TraceStep<PreferenceOutcome>;
  /** The sampled response; the one in the comparison must be equal. Required unless all values are Maps. */
  readonly response?: TraceResponse;
}

/** One value for each trajectory: a list in their order (then `responses` must be one too), or a Map by id. */
export type PerTrajectory<Value> = readonly Value[] | ReadonlyMap<string, Value>;

/** The result of comparing a group. */
export interface Comparison {
  readonly responses: PerTrajectory<TraceResponse>;
  readonly isValid: PerTrajectory<boolean>;
  readonly rewards?: PerTrajectory<RewardTerms>;
}

/**
 * Finishes the steps of a group once its responses have been compared; does nothing when tracing is off.
 * Throws UserError, and finishes no step, if values and trajectories do not match: a wrong number, a missing,
 * duplicate or unknown id, a list whose order cannot be checked, or a response that the trajectory did not
 * sample. Also throws, and finishes no step, where `step.finish` would throw.
 */
export function fillPreferences(
  trajectories: readonly ComparedTrajectory[],
  comparison: Comparison,
): void {
  const { responses, isValid, rewards } = comparison;
  if (trajectories.every(({ step }) => !step.enabled)) return;
  const ids = trajectories.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) refuse(`two trajectories are called ${previewValue(twice)}`);
  requireOwnSteps(trajectories);
  const answers = align("responses", responses, ids);
  const validity = align("isValid", isValid, ids);
  const terms = rewards === undefined ? undefined : align("rewards", rewards, ids);
  requireOrder(trajectories, comparison);
  for (const [index, trajectory] of trajectories.entries()) {
    requireSampled(trajectory, answers[index]);
  }
  const ends = trajectories.map(({ step }, index) =>
    step.prepare({
      response: answers[index] ?? "",
      isValid: validity[index] ?? false,
      reward: terms?.[index] ?? {},
    }),
  );
  for (const end of ends) end();
}

function requireOwnSteps(trajectories: readonly ComparedTrajectory[]): void {
  const steps = new Set<unknown>();
  for (const { id, step } of trajectories) {
    if (step.enabled && steps.has(step)) refuse(`${nameOf(id)} has the step of another`);
    steps.add(step);
  }
}

/** Only responses can prove the order of lists: they are compared with what was sampled. */
function requireOrder(
  trajectories: readonly ComparedTrajectory[],
  { responses, ...others }: Comparison,
): void {
  if (isList(responses)) {
    const unknown = trajectories.find(({ response }) => response === undefined);
    if (unknown === undefined) return;
    refuse(
      `responses is a list, and ${nameOf(unknown.id)} does not say what it sampled: give it as its response, or all values as Maps by id`,
    );
  }
  for (const [what, values] of Object.entries(others)) {
    if (!Array.isArray(values)) continue;
    refuse(
      `${what} is a list and responses a Map: give both in the order of the trajectories, or both by id`,
    );
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
  if (other !== undefined) refuse(`${what} names ${nameOf(other)}, which is not in the group`);
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

/** Nothing in the records would reveal mixed-up responses: each record would be valid. */
function requireSampled(
  { id, response }: ComparedTrajectory,
  filled: TraceResponse | undefined,
): void {
  if (response === undefined) return;
  if (!isDeepStrictEqual(toMessage(response), toMessage(filled))) {
    refuse(`responses has for ${nameOf(id)} a response that it did not sample`);
  }
}

function nameOf(id: string): string {
  return `trajectory ${previewValue(id)}`;
}

function refuse(message: string): never {
  throw new UserError(`preference: ${message}`, EXIT.usage);
}
