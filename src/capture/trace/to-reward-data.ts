import { toPointerToken } from "../../json/pointer.js";
import type { JsonValue } from "../../json/value.js";
import { isJsonObject } from "../../json/value.js";
import { previewValue } from "../../text.js";
import { EXIT, UserError } from "../../user-error.js";
import { toSnapshot } from "../to-snapshot.js";
import { isPrinted } from "./is-printed.js";

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
