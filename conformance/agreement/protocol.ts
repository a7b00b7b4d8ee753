import {
  type AdapterVerdict,
  findErrors,
  isAdapterSummary,
  isAdapterVerdict,
} from "#generated/index.js";
import { isJsonObject, tryParseJson } from "../../src/base/json/value.js";
import { formatCount, formatNumber, previewValue } from "../../src/base/text.js";
import type { Question } from "./adapter.js";

/** Reads the output of an adapter line by line, and checks that it follows the protocol. */
export class AnswerList {
  readonly verdicts: AdapterVerdict[] = [];
  readonly #sent: number;
  #count: number | undefined;

  /** `sent`: number of the requests, whose ids count from 0. */
  constructor(sent: number) {
    this.#sent = sent;
  }

  /** Returns the fault in the next line of the adapter's output; undefined if there is none. */
  add(line: string): string | undefined {
    const problem = this.#take(line);
    if (problem === undefined) return undefined;
    const number = this.verdicts.length + (this.#count === undefined ? 1 : 2);
    return `printed ${previewValue(line)} (line ${number} of its output): ${problem}`;
  }

  /** The number of verdicts, in words. */
  get count(): string {
    return formatCount(this.verdicts.length, "verdict");
  }

  /** Returns what is missing after the last line. */
  findMissing(): string | undefined {
    const [given, sent] = [this.verdicts.length, this.#sent];
    if (given < sent) return `printed ${this.count} on ${formatCount(sent, "record")}`;
    if (this.#count === undefined) return "printed no summary";
    if (this.#count === sent) return undefined;
    const counted = formatCount(this.#count, "record");
    return `reports that it checked ${counted}, but was sent ${formatNumber(sent)}`;
  }

  #take(line: string): string | undefined {
    const value = tryParseJson(line);
    if (value === undefined) return "not JSON";
    if (this.#count !== undefined) return "the summary must be the last line";
    if (isJsonObject(value) && "summary" in value) {
      if (!isAdapterSummary(value)) return describeFault("AdapterSummary", value);
      this.#count = value.summary.count;
      return undefined;
    }
    if (!isAdapterVerdict(value)) return describeFault("AdapterVerdict", value);
    return this.#takeVerdict(value);
  }

  #takeVerdict(verdict: AdapterVerdict): string | undefined {
    const { id, valid, errors } = verdict;
    const due = this.verdicts.length;
    if (due === this.#sent)
      return `more verdicts than the ${formatCount(this.#sent, "record")} it was sent`;
    if (id !== due)
      return `expected the verdict on record ${due}: verdicts must be in the order of the requests`;
    if (errors !== undefined && valid !== (errors.length === 0)) {
      return valid
        ? "a valid record must not have errors"
        : "an invalid record must have errors: omit the list to report only the verdict";
    }
    this.verdicts.push(verdict);
    return undefined;
  }
}

function describeFault(type: "AdapterSummary" | "AdapterVerdict", value: unknown): string {
  const [first] = findErrors(type, value);
  return `not an ${type}: ${first?.pointer || "it"} ${first?.message}`;
}

/**
 * A request of the adapter protocol as one line. The record's text is inserted unchanged, because
 * JSON.stringify would alter some spellings.
 */
export function requestLine({ type, text }: Question, id: number): string {
  return `{"id":${id},"type":${JSON.stringify(type)},"record":${text}}\n`;
}

/** Marks raw text until it is inserted; no fixture contains it. */
const MARK = "\u0000raw:";

/** The mark as JSON has it. */
const PRINTED_MARK = "\\u0000raw:";

const MARKED = /"\\u0000raw:((?:[^"\\]|\\.)*)"/g;

/** A value in memory whose JSON is exactly `text`, which JSON.stringify would print differently. */
export class RawJson {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toJSON(): string {
    return `${MARK}${this.#text}`;
  }
}

/** A record in memory as one line of JSON. */
export function toJsonText(record: unknown): string {
  const text = JSON.stringify(record);
  if (!text.includes(PRINTED_MARK)) return text;
  return text.replace(MARKED, (_, raw: string) => JSON.parse(`"${raw}"`));
}
