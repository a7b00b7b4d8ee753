import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diffArrays, structuredPatch } from "diff";
import { createFinding, type Finding, locateInText } from "../../src/base/findings/finding.js";
import { findJsonDifferences } from "../../src/base/json/differences.js";
import { isJsonObject } from "../../src/base/json/value.js";
import { escapeControls, formatCount, formatNumber } from "../../src/base/text.js";
import { parseJson } from "./files.js";

/**
 * Compares outputs with the `committed` ones in both directions, and reports every difference. `made`: what the files must
 * contain, by path from `root`.
 */
export function compareGolden(
  root: string,
  committed: readonly string[],
  made: ReadonlyMap<string, string | Uint8Array>,
): Finding[] {
  return [
    ...[...made].flatMap(([file, text]) =>
      committed.includes(file) ? compareFile(root, file, text) : [toFinding(file, "is missing")],
    ),
    ...committed
      .filter((file) => !made.has(file))
      .map((file) => toFinding(file, "is unexpected: it is no longer written")),
  ];
}

function compareFile(root: string, file: string, made: string | Uint8Array): Finding[] {
  const [bytes, now] = [readFileSync(join(root, file)), Buffer.from(made)];
  if (bytes.equals(now)) return [];
  if (!isUtf8(bytes) || !isUtf8(now)) {
    const at = bytes.findIndex((byte, index) => byte !== now[index]);
    return [toFinding(file, `differs from byte ${at < 0 ? bytes.length : at} on, and is no text`)];
  }
  const [expected, actual] = [bytes, now].map((each) => each.toString("utf8"));
  const findings = compareTexts(file, expected ?? "", actual ?? "");
  return findings.length > 0 ? findings : [toFinding(file, "differs in its final newline")];
}

function compareTexts(file: string, expected: string, actual: string): Finding[] {
  if (file.endsWith(".jsonl")) return compareJsonl(file, expected, actual);
  if (parseJson(expected) === undefined || parseJson(actual) === undefined) {
    return [compareLines(file, expected, actual)];
  }
  const name = "the file";
  return compareRecords(file, { text: expected, line: 1, name }, { text: actual, line: 1, name });
}

/** Lines of a difference that are shown, and their length in UTF-16 code units. */
const MAX_LINES = 20;
const MAX_LENGTH = 300;

/** One finding about two texts, at the first line that differs. */
function compareLines(file: string, expected: string, actual: string): Finding {
  const [left, right] = [expected.split("\n"), actual.split("\n")];
  const first = left.findIndex((line, index) => line !== right[index]);
  const line = (first < 0 ? left.length - 1 : first) + 1;
  const lines = describeTextChange(expected, actual).split("\n");
  const rest = lines.length - MAX_LINES;
  const detail = [
    ...lines.slice(0, MAX_LINES).map((text) => cut(text)),
    ...(rest > 0 ? [`... and ${formatCount(rest, "more line")}`] : []),
  ].join("\n");
  const message = "differs from what is written now";
  return createFinding({ id: "golden", file, position: { line, column: 1 }, message, detail });
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function toFinding(file: string, message: string): Finding {
  return createFinding({ id: "golden", file, message });
}

/** Records between two that are equal in both files. */
interface Block {
  /** Line of the expected file where the block starts. */
  readonly line: number;
  readonly expected: OutputRecord[];
  readonly actual: OutputRecord[];
}

/**
 * Every difference between two JSONL texts, by record and field, in the order of the expected text. Equal
 * records are matched first, so that an added or removed record does not affect the others. Between matches,
 * records with the same rollout and branch are compared.
 */
export function compareJsonl(file: string, expected: string, actual: string): Finding[] {
  const blocks = toBlocks(expected, actual);
  if (blocks === undefined) return [compareLines(file, expected, actual)];
  return blocks.flatMap((block) => compareBlock(file, block));
}

/** Edits, of lines, beyond which two texts are too different to say what became of which line. It takes as much time squared. */
const MAX_EDITS = 2_000;

/** Undefined for texts that are too different. */
function toBlocks(expected: string, actual: string): Block[] | undefined {
  const parts = diffArrays(toLines(expected), toLines(actual), { maxEditLength: MAX_EDITS });
  if (parts === undefined) return undefined;
  const blocks: Block[] = [];
  let [line, actualLine] = [1, 1];
  let block: Block | undefined;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) block = undefined;
    else if (block === undefined) {
      block = { line, expected: [], actual: [] };
      blocks.push(block);
    }
    if (removed) block?.expected.push(...value.map((text, index) => toRecord(text, line + index)));
    if (added)
      block?.actual.push(...value.map((text, index) => toRecord(text, actualLine + index)));
    if (!added) line += value.length;
    if (!removed) actualLine += value.length;
  }
  return blocks;
}

function toLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function toRecord(text: string, line: number): OutputRecord {
  return { text, line, name: describeRecord(parseJson(text)?.value) ?? `record ${line}` };
}

function compareBlock(file: string, { line, expected, actual }: Block): Finding[] {
  const rest = [...actual];
  const findings = expected.flatMap((record) => {
    const index = rest.findIndex((other) => isSame(record, other));
    const [other] = index < 0 ? [] : rest.splice(index, 1);
    if (other !== undefined) return compareRecords(file, record, other);
    const message = `${record.name} is no longer written`;
    const detail = describeChange(parseJson(record.text)?.value ?? record.text, undefined);
    return [
      createFinding({
        id: "golden",
        file,
        position: { line: record.line, column: 1 },
        message,
        detail,
      }),
    ];
  });
  const added = rest.map((record) => {
    const message = `${record.name} is new`;
    const detail = describeChange(undefined, parseJson(record.text)?.value);
    return createFinding({ id: "golden", file, position: { line, column: 1 }, message, detail });
  });
  return [...findings, ...added];
}

/** Whether two records are versions of one record; any two are, if neither names a rollout. */
function isSame(expected: OutputRecord, actual: OutputRecord): boolean {
  const [left, right] = [expected, actual].map(({ text }) =>
    describeRecord(parseJson(text)?.value),
  );
  return left === right;
}

/** A record of an output, with its original text. */
export interface OutputRecord {
  readonly text: string;
  /** Line where it starts, 1-based. */
  readonly line: number;
  /** Its name in messages. */
  readonly name: string;
}

/** One finding for each field in which a record of `file` differs from the new output. */
export function compareRecords(
  file: string,
  expected: OutputRecord,
  actual: OutputRecord,
): Finding[] {
  const [left, right] = [parseJson(expected.text), parseJson(actual.text)];
  const differences = left && right ? findJsonDifferences(left.value, right.value) : [];
  const { name } = expected;
  const create = (pointer: string, message: string, detail: string): Finding => {
    const { line, column } = locateInText(expected.text, pointer);
    const position = { line: expected.line + line - 1, column };
    return createFinding({
      id: "golden",
      file,
      pointer,
      position,
      message: `${name}${message}`,
      detail,
    });
  };
  if (differences.length === 0) {
    const message =
      left === undefined ? " is not JSON" : ": the same values, formatted differently";
    return [create("", message, describeTextChange(`${expected.text}\n`, `${actual.text}\n`))];
  }
  return differences.map(({ pointer, left, right }) => {
    const field = pointer === "" ? "" : `, field ${pointer.slice(1)}`;
    return create(pointer, field, describeChange(left, right));
  });
}

/**
 * The change from one JSON value to another as a unified diff; undefined has no lines. Multi-line text is
 * compared line by line, arrays and objects field by field; anything else is one line.
 */
export function describeChange(expected: unknown, actual: unknown): string {
  const byLine = [expected, actual].some(
    (value) => typeof value === "string" && value.includes("\n"),
  );
  const toText = (value: unknown): string => {
    if (value === undefined) return "";
    const text = byLine && typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return `${text}\n`;
  };
  return describeTextChange(toText(expected), toText(actual));
}

/**
 * The name of an output record in messages: its rollout and branch, from the record or its provenance.
 * Undefined if it has neither, as some trainers require.
 */
export function describeRecord(record: unknown): string | undefined {
  if (!isJsonObject(record)) return undefined;
  const { provenance } = record;
  const { rollout_id, branch_index } = { ...(isJsonObject(provenance) && provenance), ...record };
  if (rollout_id === undefined) return undefined;
  return `rollout ${rollout_id}${branch_index === undefined ? "" : `, branch ${branch_index}`}`;
}

/** Lines of context around a change. */
const CONTEXT = 1;

/**
 * The differing lines of two texts as a unified diff, `-` for the expected ones; safe on a terminal. The
 * position of a change is omitted if both sides are a single line.
 */
export function describeTextChange(expected: string, actual: string): string {
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS };
  const patch = structuredPatch("", "", expected, actual, "", "", options);
  if (patch === undefined) return `differs in more than ${formatNumber(MAX_EDITS)} lines`;
  const { hunks } = patch;
  const isOneLine = hunks.every(({ lines }) => lines.length <= 2);
  return hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      ...(isOneLine ? [] : [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`]),
      ...lines.map((line) => `${line.slice(0, 1)} ${escapeControls(line.slice(1))}`),
    ])
    .join("\n");
}
