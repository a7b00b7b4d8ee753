import { toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject, type JsonValue } from "../../../base/json/value.js";
import { previewValue } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { isPrinted } from "../../wire/validation/traces.js";
import { toSnapshot } from "../snapshot.js";

/** A kind of environment: turns its steps into the parts of a `RolloutTraceStep`. */
export interface TraceKind<Prompt, Outcome> {
  /** Becomes `extra.environment` in the trace. */
  readonly id: string;
  readonly purpose: string;
  /** What the policy sees. It is copied at once, before the environment can change it. */
  toPrompt(prompt: Prompt): object;
  /** The outcome of the step. Of a failed step, only a part is known. */
  toParts(outcome: Partial<Outcome>): StepParts;
}

/** The parts of a trace except its prompt, not copied yet. An unknown part is absent, not empty. */
export interface StepParts {
  readonly policy_response?: object | undefined;
  readonly reward_data?: RewardTerms | undefined;
  readonly env_state?: object | undefined;
  readonly extra?: object | undefined;
}

/** The outcome of a step that all kinds of environments share. */
export interface StepOutcome {
  /** The policy's response: a message, or its text. */
  readonly response: TraceResponse;
  /** State of the environment after the step. */
  readonly state?: object;
  /** Anything else to keep. The names `environment`, `outcome`, `error` and `not_finite` are reserved. */
  readonly extra?: object;
}

/** A chat message, or its text. */
export type TraceResponse =
  | string
  | { readonly content?: unknown; readonly [field: string]: unknown };

/** Chat messages, or the text of the only one; or an object with `messages` and more, such as tools. */
export type TracePrompt =
  | string
  | readonly object[]
  | { readonly messages: readonly object[]; readonly [field: string]: unknown };

/** Terms of a reward by name: raw numbers and booleans, nested in any way. Strings are labels, not numbers. */
export interface RewardTerms {
  readonly [term: string]: RewardTerm | undefined;
}

/** One term of a reward: raw numbers and booleans, and labels. */
export type RewardTerm =
  | number
  | boolean
  | string
  | null
  | readonly RewardTerm[]
  | ArrayLike<number>
  | RewardTerms;

interface RewardData {
  readonly terms: Readonly<Record<string, JsonValue>>;
  /** Numbers that JSON does not have, as text by pointer. They are null in the terms. */
  readonly notFinite: Readonly<Record<string, string>>;
}

/** The same as a snapshot's. */
const MAX_DEPTH = 500;

/**
 * A copy of the terms. Throws UserError for a number or boolean that was printed into a string: the printed
 * digits may not be the exact reward.
 */
export function toRewardData(terms: RewardTerms, where: string): RewardData {
  const notFinite: Record<string, string> = {};
  const copy = (value: unknown, pointer: string, depth: number): JsonValue => {
    if (typeof value === "number" || typeof value === "bigint") {
      const number = Number(value);
      // Readers of JSON disagree on integers beyond 2^53.
      if (Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))) {
        return number === 0 ? 0 : number;
      }
      notFinite[pointer] = String(value);
      return null;
    }
    if (typeof value === "string" && isPrinted(value)) {
      throw new UserError(
        `${where}${pointer} is a number printed into a string, ${previewValue(value)}: give the raw number or boolean`,
        EXIT.usage,
      );
    }
    if (typeof value !== "object" || value === null) return toSnapshot(value);
    if (depth >= MAX_DEPTH) {
      throw new UserError(`${where} is nested more than ${MAX_DEPTH} levels deep`, EXIT.usage);
    }
    if (Array.isArray(value) || ArrayBuffer.isView(value)) {
      const list: unknown[] = Array.from(Object(value));
      return list.map((element, index) => copy(element, `${pointer}/${index}`, depth + 1));
    }
    const fields: Record<string, unknown> =
      value instanceof Map ? Object.fromEntries(value) : { ...value };
    const entries = Object.entries(fields).filter(([, child]) => child !== undefined);
    return Object.fromEntries(
      entries.map(([key, child]) => [
        key,
        copy(child, `${pointer}/${toPointerToken(key)}`, depth + 1),
      ]),
    );
  };
  // The snapshot also handles keys with lone surrogates.
  const data = toSnapshot(copy(terms, "", 0));
  return { terms: isTerms(data) ? data : {}, notFinite };
}

function isTerms(value: JsonValue): value is Record<string, JsonValue> {
  return isJsonObject(value);
}

/** A prompt as `{messages: [...]}`, the form of traces. A string is a user's message. */
export function toConversation(prompt: TracePrompt): object {
  if (typeof prompt === "string") return { messages: [{ role: "user", content: prompt }] };
  return "messages" in prompt ? prompt : { messages: prompt };
}

/** A response as an assistant's message, the form of traces. */
export function toMessage(response: TraceResponse | undefined): object | undefined {
  return typeof response === "string" ? { role: "assistant", content: response } : response;
}
