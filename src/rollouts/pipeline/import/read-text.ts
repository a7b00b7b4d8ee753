import type { RecordFault } from "../../../base/findings/finding.js";
import { locateFirst, type NonFiniteText } from "../../../base/json/non-finite.js";
import { measureValue, type ValueMeasure } from "../../../base/json/value.js";
import { blockLines } from "../../../base/jsonl/blocks.js";
import { type RecordLine, toRecordLine } from "../../../base/jsonl/reader.js";
import { formatCount } from "../../../base/text.js";
import { NOT_PARSED, parseLog } from "./parse-log.js";
import type { Layout, LogUnit } from "./units.js";

/** A text of a log, parsed or not. */
export interface ReadText {
  /** The value of an array is an object with its indices. */
  readonly line: RecordLine;
  /** Returns the whole text, in which positions are found. */
  readonly text: () => string;
  readonly layout: Layout;
}

/** The value of a text, or why it has none. */
export type TextReading =
  | { readonly text: ReadText; readonly fault: RecordFault; readonly value?: never }
  | {
      readonly text: ReadText;
      readonly fault?: undefined;
      readonly value: unknown;
      readonly measure: ValueMeasure;
      /** A warning if numbers in it are none, or nothing. */
      readonly nonFinite: readonly RecordFault[];
    };

/** Parses a text of a log. Never throws: a bad text is a result. */
export function readText(unit: Pick<LogUnit, "file" | "source" | "layout">): TextReading {
  if (unit.layout === "joined" && unit.source.bytes !== undefined) return readJoined(unit);
  const { file, source, layout } = unit;
  let log = NOT_PARSED;
  const parsed = toRecordLine(file, source, (json) => {
    log = parseLog(json);
    return Array.isArray(log.value) ? { ...log.value } : log.value;
  });
  if ("fault" in parsed) {
    const text = (): string => source.bytes?.toString("utf8") ?? "";
    return { text: { line: parsed, text, layout }, fault: toFault(parsed.fault) };
  }
  const { value, measure, json, nonFinite } = log;
  // Pointers can be located only in valid JSON.
  const line = json === undefined ? parsed : { ...parsed, text: json };
  const text = { line, text: () => line.text, layout };
  return { text, value, measure, nonFinite: nonFinite ? [describeNonFinite(nonFinite)] : [] };
}

function toFault({
  id,
  message,
  cause,
}: {
  id: string;
  message: string;
  cause?: string;
}): RecordFault {
  return { id, severity: "error", pointer: "", message, cause };
}

function describeNonFinite(found: NonFiniteText): RecordFault {
  const { words } = found;
  const names = [...new Set(words.map(({ word }) => word))].join(", ");
  const message = `${formatCount(words.length, "number")} that no JSON holds, read as null: ${names}`;
  const column = (words[0]?.start ?? 0) + 1;
  const pointer = locateFirst(found);
  return { id: "non-finite-number", severity: "warning", pointer, column, message, cause: "null" };
}

/**
 * Parses a file with a JSON text in each line as one object, in which each line's value has its number as the key. Its text
 * has the same lines, each after `joinedPrefix`.
 */
function readJoined({
  file,
  source,
  layout,
}: Pick<LogUnit, "file" | "source" | "layout">): TextReading {
  const values: Record<string, unknown> = {};
  const printed: string[] = [];
  const block = { line: 1, offset: 0, bytes: Uint8Array.from(source.bytes ?? []) };
  for (const each of blockLines(block)) {
    let log = NOT_PARSED;
    const parsed = toRecordLine(file, each, (json) => {
      log = parseLog(json);
      return log.value;
    });
    if ("fault" in parsed) {
      return {
        text: { line: parsed, text: () => "", layout: "line" },
        fault: toFault(parsed.fault),
      };
    }
    while (printed.length < parsed.line - 1) printed.push("");
    values[parsed.line] = parsed.value;
    const prefix = joinedPrefix(parsed.line, Object.keys(values).length === 1);
    printed.push(`${prefix}${log.json ?? parsed.text}`);
  }
  const json = `${printed.join("\n")}}`;
  const line = { file, line: 1, byteLength: source.stored.length, text: json, value: values };
  const measure = measureValue(values);
  return { text: { line, text: () => json, layout }, value: values, measure, nonFinite: [] };
}

/** What stands before the text of a line in that of all lines. Its length depends only on the number. */
function joinedPrefix(line: number, isFirst = false): string {
  return `${isFirst ? "{" : ","}"${line}":`;
}

/** The place in the file of a place in a joined text, and the pointer into its line. */
export function toJoinedPlace(
  { line, column }: { readonly line: number; readonly column: number },
  pointer: string,
): { readonly line: number; readonly column: number; readonly pointer: string } {
  const [, number, ...rest] = pointer.split("/");
  if (number === undefined) return { line: 1, column: 1, pointer };
  const within = Math.max(1, column - joinedPrefix(line).length);
  return { line, column: within, pointer: rest.map((token) => `/${token}`).join("") };
}
