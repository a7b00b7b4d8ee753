import { isDeepStrictEqual } from "node:util";
import { previewValue } from "../../text.js";
import { EXIT, UserError } from "../../user-error.js";
import { type RewardTerms, type TraceResponse, toMessage } from "./kind.js";
import type { PreferenceOutcome } from "./kinds.js";
import type { TraceStep } from "./tracer.js";

/** A trajectory of a group: its one step, which waits for what the comparison says. */
export interface ComparedTrajectory {
  /** Differs from that of the others in the group. */
  readonly id: string;
  readonly step: TraceStep<PreferenceOutcome>;
  /** The response as it was sampled: what is filled in must be the same. Only Maps may do without. */
  readonly response?: TraceResponse;
}

/** One value for each trajectory: in their order, beside responses that are so too, or by their ids. */
export type PerTrajectory<Value> = readonly Value[] | ReadonlyMap<string, Value>;

/** What the comparison of a group gives. */
export interface Comparison {
  readonly responses: PerTrajectory<TraceResponse>;
  readonly isValid: PerTrajectory<boolean>;
  readonly rewards?: PerTrajectory<RewardTerms>;
}

/**
 * Finishes the steps of a group when its responses have been compared; does nothing when tracing is off. Throws
 * UserError, and finishes none, when the values and the trajectories do not belong together: another number, an
 * id that is missing, twice there or of no trajectory, a list whose order nothing tells, a response that is not
 * the one that the trajectory sampled. It throws, and finishes none, where `step.finish` would.
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

/** The order of lists is told by the responses alone, which are held against what was sampled. */
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
