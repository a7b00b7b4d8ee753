import { isDeepStrictEqual } from "node:util";
import type { RolloutTraceStep } from "#generated/index.js";
import { toPointerToken } from "../../json/pointer.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { EXIT, UserError } from "../../user-error.js";
import { describeThrown } from "../errors.js";
import { createSnapshotRoom, type SnapshotRoom, toSnapshot } from "../snapshot.js";
import { type StepParts, type TraceKind, toRewardData } from "./kind.js";

export interface TracerOptions {
  /** Off by default: every prompt is copied, and stored with the record. */
  readonly enabled?: boolean;
}

/** Builds the traces of the steps of one branch. */
export interface Tracer<Prompt, Outcome> {
  readonly enabled: boolean;
  /**
   * To be called before the policy is asked: copies the prompt. Whatever becomes of the step, it has a trace from
   * here on.
   */
  begin(prompt: Prompt): TraceStep<Outcome>;
  /** The `steps` of the branch, in the order in which they began; undefined when tracing is off. */
  steps(): RolloutTraceStep[] | undefined;
}

/** A step that is under way. It ends once: what is called after that throws UserError. */
export interface TraceStep<Outcome> {
  /** False when tracing is off. */
  readonly enabled: boolean;
  /** Throws UserError for reward data with printed numbers, and for a prompt that holds the response already. */
  finish(outcome: Outcome): void;
  /**
   * Builds what `finish` would, and throws what it would; the step goes on until the function that it gives is
   * called. So several steps are finished, or none.
   */
  prepare(outcome: Outcome): () => void;
  /**
   * Ends the step early: `reason` is a word such as "parse_error" or "context_overflow", and stands in the trace
   * as `extra.outcome`; `known` is what there is of an outcome, and `error` what was thrown.
   */
  fail(reason: string, known?: Partial<Outcome>, error?: unknown): void;
}

/** What an untraced step is: nothing. */
const UNTRACED: TraceStep<unknown> = {
  enabled: false,
  finish: () => {},
  prepare: () => () => {},
  fail: () => {},
};

/** A tracer for the steps of one branch in an environment of this kind. */
export function createTracer<Prompt, Outcome>(
  kind: TraceKind<Prompt, Outcome>,
  { enabled = false }: TracerOptions = {},
): Tracer<Prompt, Outcome> {
  if (!enabled) return { enabled, begin: () => UNTRACED, steps: () => undefined };
  const steps: { trace: RolloutTraceStep }[] = [];
  // All steps go into one record.
  const room = createSnapshotRoom();
  return {
    enabled,
    begin(prompt) {
      const told = (words: object): object => ({ environment: kind.id, ...words });
      const before = copyPrompt(kind, prompt, room);
      const step = { trace: createTrace(before, {}, told({ outcome: "unfinished" }), room) };
      const where = `${kind.id}: step ${steps.push(step) - 1}`;
      let isEnded = false;
      const requireOpen = (): void => {
        if (isEnded) throw new UserError(`${where} has ended already`, EXIT.usage);
      };
      const prepare = (outcome: Partial<Outcome>, words: object): (() => void) => {
        requireOpen();
        const trace = createTrace(before, kind.toParts(outcome), told(words), room, where);
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

/** The trace of a step from a copied prompt and parts that are still to be copied. */
function createTrace(
  prompt: JsonObject,
  parts: StepParts,
  told: object,
  room: SnapshotRoom,
  where = "",
): RolloutTraceStep {
  const { policy_response: response, reward_data: reward, env_state: state, extra } = parts;
  const data = reward && toRewardData(reward, `${where}: reward_data`);
  const notFinite = Object.keys(data?.notFinite ?? {}).length > 0 && {
    not_finite: data?.notFinite,
  };
  const step: RolloutTraceStep = {
    prompt: { ...prompt },
    ...(response && { policy_response: copyObject(response, room) }),
    ...(data && { reward_data: data.terms }),
    ...(state && { env_state: copyObject(state, room) }),
    extra: copyObject({ ...extra, ...told, ...notFinite }, room),
  };
  const place = findOwnResponse(step);
  if (place !== undefined) {
    throw new UserError(
      `${where}: the prompt ends with the step's own response, at /prompt${place}: begin the step before the response is appended`,
      EXIT.usage,
    );
  }
  return step;
}

/** Watching a step must not break it, whatever the environment takes for a prompt. */
function copyPrompt<Prompt, Outcome>(
  kind: TraceKind<Prompt, Outcome>,
  prompt: Prompt,
  room: SnapshotRoom,
): Record<string, JsonValue> {
  try {
    return copyObject(kind.toPrompt(prompt), room);
  } catch {
    return { value: toSnapshot(prompt, room) };
  }
}

function copyObject(value: object, room: SnapshotRoom): Record<string, JsonValue> {
  const copy = toSnapshot(value, room);
  // No room is left, or the object cannot be read: the mark that says so.
  return isObject(copy) ? copy : { value: copy };
}

function isObject(value: JsonValue): value is Record<string, JsonValue> {
  return isJsonObject(value);
}

/** Fields by which environments say what a message or a response says. */
const TEXT_FIELDS = ["content", "text", "response", "completion", "answer"] as const;
/** Who speaks in messages that the policy cannot have written. */
const OTHER_ROLES: readonly unknown[] = ["system", "developer", "user", "tool", "function"];
/** A prompt of plain text may end with a shorter response by chance, or by request ("say: yes"). */
const MIN_TEXT_LENGTH = 32;

/**
 * Where the prompt of a step holds the step's own response, as a pointer into the prompt; undefined when it
 * does not. Looked at is the prompt's end: the last message of each of its lists, and the end of each text.
 */
export function findOwnResponse({
  prompt,
  policy_response: response,
}: RolloutTraceStep): string | undefined {
  if (prompt === undefined || response === undefined) return undefined;
  const said = textOf(response);
  for (const [key, value] of Object.entries(prompt)) {
    const pointer = `/${toPointerToken(key)}`;
    if (Array.isArray(value)) {
      const last: unknown = value.at(-1);
      if (isResponse(last, response, said)) return `${pointer}/${value.length - 1}`;
    } else if (typeof value === "string" && said !== undefined) {
      if (said.length >= MIN_TEXT_LENGTH && value.endsWith(said)) return pointer;
    }
  }
  return undefined;
}

function isResponse(last: unknown, response: JsonObject, said: string | undefined): boolean {
  if (!isJsonObject(last) || OTHER_ROLES.includes(last.role)) return false;
  if (isDeepStrictEqual(last, response)) return true;
  if (said === undefined || textOf(last) !== said) return false;
  // The same words may come with other calls: "Let me look that up."
  const [calls, ownCalls] = [last.tool_calls, response.tool_calls];
  return calls === undefined || ownCalls === undefined || isDeepStrictEqual(calls, ownCalls);
}

function textOf(message: JsonObject): string | undefined {
  for (const field of TEXT_FIELDS) {
    const text = message[field];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
