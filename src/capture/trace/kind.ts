import { toPointerToken } from "../../json/pointer.js";
import { isJsonObject, type JsonValue } from "../../json/value.js";
import { previewValue } from "../../text.js";
import { EXIT, UserError } from "../../user-error.js";
import { toSnapshot } from "../snapshot.js";

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

/** Terms of a reward by name: raw numbers and booleans, nested as they come. A text is a label, no number. */
export interface RewardTerms {
  readonly [term: string]: RewardTerm | undefined;
}

export type RewardTerm =
  | number
  | boolean
  | string
  | null
  | readonly RewardTerm[]
  | ArrayLike<number>
  | RewardTerms;

export interface RewardData {
  readonly terms: Readonly<Record<string, JsonValue>>;
  /** Numbers that JSON does not hold, as text, by their pointers. They are null in the terms. */
  readonly notFinite: Readonly<Record<string, string>>;
}

/** Nesting that a snapshot takes as well. */
const MAX_DEPTH = 500;

/**
 * A copy of the terms. Throws UserError for a number or a boolean that was printed into a text: to take it for
 * the number would keep the digits of the print, and pass them off as the reward.
 */
export function toRewardData(terms: RewardTerms, where: string): RewardData {
  const notFinite: Record<string, string> = {};
  const copy = (value: unknown, pointer: string, depth: number): JsonValue => {
    if (typeof value === "number" || typeof value === "bigint") {
      const number = Number(value);
      // Beyond 2^53 readers of JSON disagree on an integer.
      if (Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))) {
        return number === 0 ? 0 : number;
      }
      notFinite[pointer] = String(value);
      return null;
    }
    if (typeof value === "string" && isPrinted(value)) {
      throw new UserError(
        `${where}${pointer} is a number printed into a text, ${previewValue(value)}: give the raw number or boolean`,
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
  // Keys with lone surrogates are the snapshot's business.
  const data = toSnapshot(copy(terms, "", 0));
  return { terms: isTerms(data) ? data : {}, notFinite };
}

function isTerms(value: JsonValue): value is Record<string, JsonValue> {
  return isJsonObject(value);
}

const DIGIT = String.raw`\p{Nd}`;
/** `1_000`, or groups of three as some countries part them; or neither. */
const WHOLE = `(?:${DIGIT}{1,3}(?:[,.' ]${DIGIT}{3})+|${DIGIT}+(?:_${DIGIT}+)*)`;
const DECIMAL = String.raw`(?:${WHOLE}(?:[.,]${DIGIT}*)?|\.${DIGIT}+)(?:e[-+]?${DIGIT}+)?`;
const VALUE = String.raw`(?:0x[\da-f]+|0[bo][0-7]+|${DECIMAL}|∞|inf(?:inity)?)`;
/** With a sign, a currency and a unit of parts: `-$0.5`, `50 %`, `5 €`. */
const NUMBER = String.raw`[-+]?(?:\p{Sc} ?)?[-+]?${VALUE}(?: ?[%‰\p{Sc}])?`;
/** Of two numbers: a fraction, and a mean with its deviation. U+2044 is the slash of `½`. */
const BETWEEN = String.raw` ?(?:[/\u2044±]|\+/?-) ?`;

/** Texts that programs print for a number or a boolean; also Python's `True` and its `inf`. */
const PRINTED = new RegExp(`^(?:${NUMBER}(?:${BETWEEN}${NUMBER})?|nan|true|false)$`, "iu");

/** A double that is printed in full has up to 309 digits before its point and 1,074 behind it. */
const LONGEST = 2000;

/** Signs that are no ASCII hyphen, and the apostrophe that parts digits. */
const DASH = /[\u2010-\u2015\u2212]/g;
const APOSTROPHE = /[\u2018\u2019]/g;

/** Whether a text is a number or a boolean that was printed into it, in digits of whatever script. */
export function isPrinted(text: string): boolean {
  if (text.length > LONGEST) return false;
  const plain = text.normalize("NFKC").replace(DASH, "-").replace(APOSTROPHE, "'");
  return PRINTED.test(plain.replace(/\s+/g, " ").trim());
}

/** A prompt as traces hold it: `{messages: [...]}`. A text is what a user said. */
export function toConversation(prompt: TracePrompt): object {
  if (typeof prompt === "string") return { messages: [{ role: "user", content: prompt }] };
  return "messages" in prompt ? prompt : { messages: prompt };
}

/** A response as traces hold it: a message of the assistant. */
export function toMessage(response: TraceResponse | undefined): object | undefined {
  return typeof response === "string" ? { role: "assistant", content: response } : response;
}
