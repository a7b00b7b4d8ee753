import type { RolloutTraceStep } from "#generated/index.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../base/json/value.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { findOwnResponse } from "../../wire/validation/traces.js";
import { describeThrown } from "../errors.js";
import { createSnapshotRoom, type SnapshotRoom, toSnapshot } from "../snapshot.js";
import { type StepParts, type TraceKind, toRewardData } from "./kind.js";

/** Whether and how a tracer records. */
export interface TracerOptions {
  /** Default false: tracing copies every prompt, and stores it in the record. */
  readonly enabled?: boolean;
}

/** Builds the traces of the steps of one branch. */
export interface Tracer<Prompt, Outcome> {
  readonly enabled: boolean;
  /** Copies the prompt; call it before you ask the policy. From then on the step has a trace, however it ends. */
  begin(prompt: Prompt): TraceStep<Outcome>;
  /** The `steps` of the branch, in the order of `begin`; undefined when tracing is off. */
  steps(): RolloutTraceStep[] | undefined;
}

/** A step that has begun. It ends once; any call after that throws UserError. */
export interface TraceStep<Outcome> {
  /** False when tracing is off. */
  readonly enabled: boolean;
  /** Throws UserError for reward data with printed numbers, and for a prompt that contains the response. */
  finish(outcome: Outcome): void;
  /**
   * Does what `finish` does, except that the step ends only when you call the function it returns. This lets you
   * finish several steps, or none.
   */
  prepare(outcome: Outcome): () => void;
  /**
   * Ends the step early. `reason` is a word such as "parse_error" or "context_overflow", and becomes
   * `extra.outcome`; `known` is the known part of the outcome, and `error` what was thrown.
   */
  fail(reason: string, known?: Partial<Outcome>, error?: unknown): void;
}

/** The step of a tracer that is off. */
const UNTRACED: TraceStep<unknown> = {
  enabled: false,
  finish: () => {},
  prepare: () => () => {},
  fail: () => {},
};

/** Creates a tracer for the steps of one branch in an environment of this kind. */
export function createTracer<Prompt, Outcome>(
  kind: TraceKind<Prompt, Outcome>,
  { enabled = false }: TracerOptions = {},
): Tracer<Prompt, Outcome> {
  if (!enabled) return { enabled, begin: () => UNTRACED, steps: () => undefined };
  const steps: { trace: RolloutTraceStep }[] = [];
  // One budget: all steps go into one record.
  const budget = createSnapshotRoom();
  return {
    enabled,
    begin(prompt) {
      const labelled = (words: object): object => ({ environment: kind.id, ...words });
      const before = copyPrompt(kind, prompt, budget);
      const step = { trace: createTrace(before, {}, labelled({ outcome: "unfinished" }), budget) };
      const where = `${kind.id}: step ${steps.push(step) - 1}`;
      let isEnded = false;
      const requireOpen = (): void => {
        if (isEnded) throw new UserError(`${where} has ended already`, EXIT.usage);
      };
      const prepare = (outcome: Partial<Outcome>, words: object): (() => void) => {
        requireOpen();
        const trace = createTrace(before, kind.toParts(outcome), labelled(words), budget, where);
        return () => {
          requireOpen();
          step.trace = trace;
          isEnded = true;
        };
      };
      return {
        enabled,
        finish: (outcome) => prepare(outcome, {})(),
        prepare: (outcome) => prepare(outcome, {}),
        fail(reason, known = {}, error = undefined) {
          const thrown = error === undefined ? {} : { error: describeThrown(error) };
          prepare(known, { outcome: reason, ...thrown })();
        },
      };
    },
    steps: () => steps.map(({ trace }) => trace),
  };
}

/** Builds the trace of a step from a copied prompt and the parts, which it copies. */
function createTrace(
  prompt: JsonObject,
  parts: StepParts,
  labelled: object,
  budget: SnapshotRoom,
  where = "",
): RolloutTraceStep {
  const { policy_response: response, reward_data: reward, env_state: state, extra } = parts;
  const data = reward && toRewardData(reward, `${where}: reward_data`);
  const notFinite = Object.keys(data?.notFinite ?? {}).length > 0 && {
    not_finite: data?.notFinite,
  };
  const step: RolloutTraceStep = {
    prompt: { ...prompt },
    ...(response && { policy_response: copyObject(response, budget) }),
    ...(data && { reward_data: data.terms }),
    ...(state && { env_state: copyObject(state, budget) }),
    extra: copyObject({ ...extra, ...labelled, ...notFinite }, budget),
  };
  const pointer = findOwnResponse(step);
  if (pointer !== undefined) {
    throw new UserError(
      `${where}: the prompt ends with the step's own response, at /prompt${pointer}: begin the step before the response is appended`,
      EXIT.usage,
    );
  }
  return step;
}

/** Never throws: tracing must not break a step, whatever the environment uses as a prompt. */
function copyPrompt<Prompt, Outcome>(
  kind: TraceKind<Prompt, Outcome>,
  prompt: Prompt,
  budget: SnapshotRoom,
): Record<string, JsonValue> {
  try {
    return copyObject(kind.toPrompt(prompt), budget);
  } catch {
    return { value: toSnapshot(prompt, budget) };
  }
}

function copyObject(value: object, budget: SnapshotRoom): Record<string, JsonValue> {
  const copy = toSnapshot(value, budget);
  // Otherwise it is a mark: the budget is used up, or the object cannot be read.
  return isObject(copy) ? copy : { value: copy };
}

function isObject(value: JsonValue): value is Record<string, JsonValue> {
  return isJsonObject(value);
}
