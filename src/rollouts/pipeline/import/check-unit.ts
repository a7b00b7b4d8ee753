import type { RecordFault, Severity } from "../../../base/findings/finding.js";
import { locateAllInText, toTextPosition } from "../../../base/findings/finding.js";
import type { FindingList } from "../../../base/findings/finding-list.js";
import { printJson } from "../../../base/json/print.js";
import { isJsonObject, measureValue, type ValueMeasure } from "../../../base/json/value.js";
import { blockLines, type SourceLine } from "../../../base/jsonl/blocks.js";
import { catchStringLimit } from "../../../base/jsonl/printer.js";
import type { RecordLine } from "../../../base/jsonl/reader.js";
import { previewValue } from "../../../base/text.js";
import {
  RecordRedactor,
  type RedactionPlan,
  type SecretCounts,
} from "../../capture/redact/line-redactor.js";
import { checkLineRules, checkRecordRules } from "../../wire/validation/check-record.js";
import type { RuleSeverities } from "../../wire/validation/profiles.js";
import { checkExportable } from "../build-block.js";
import type { LineReader } from "../reread.js";
import { findDeepFault } from "./conversation/fields.js";
import { wholeSource } from "./documents.js";
import type { FileForms } from "./file-forms.js";
import { type ReadText, readText, toJoinedPlace } from "./read-text.js";
import {
  type Imported,
  type ImportedBranch,
  type ImportFault,
  type RecordPart,
  splitRecords,
} from "./reader.js";
import type { SupplementedBranch, Supplements } from "./supplements.js";
import type { Tally } from "./tally.js";
import type { ImportRow, LogUnit } from "./units.js";

/** A branch as JSON, and the secrets that were replaced in it. */
interface RedactedText {
  readonly text: string;
  readonly secrets: SecretCounts | undefined;
}

/** The outcome of one record of a log. */
export interface CheckedRecord extends ReadText {
  readonly faults: readonly RecordFault[];
  /** A valid branch as JSON; undefined if there is none. */
  readonly imported: (SupplementedBranch & RedactedText) | undefined;
  /** Of a record with an error: the rollout that loses a branch by it; undefined if it cannot be told. */
  readonly rolloutId?: string | undefined;
  /** Id of the reason why a record without faults yields no branch. */
  readonly leftOut: string | undefined;
  /** Of a record that is imported or left out: what was not read, and the like. */
  readonly tally?: Tally | undefined;
  /** Index among the records of the text, from 0. */
  readonly part: number;
  /** What is kept if the record is left out: its line or document, or its own JSON. */
  readonly source: SourceLine;
  /** Converts a pointer into the branch to one into the text. */
  toTextPointer(pointer: string): string;
}

/** Reads records of a log, and checks the branches they yield. */
export class UnitChecker {
  readonly #severities: RuleSeverities;
  readonly #redactor: RecordRedactor | undefined;
  readonly #supplements: Supplements;

  constructor(severities: RuleSeverities, supplements: Supplements, redaction?: RedactionPlan) {
    this.#severities = severities;
    this.#supplements = supplements;
    this.#redactor = redaction && new RecordRedactor(redaction);
  }

  /**
   * Rereads a record to locate a fault that was detected only after all records were read. Undefined if its
   * input cannot be read again. Throws UserError (exit 3) if the input has changed.
   */
  reread(row: ImportRow, lines: LineReader, forms: FileForms): CheckedRecord | undefined {
    const chosen = forms.at(row.input);
    if (chosen === undefined || !lines.canRead(row.input)) return undefined;
    const { input, layout } = row;
    const { file, stored } = lines.read(row);
    const [line] = blockLines({ line: row.line, offset: row.offset, bytes: stored });
    const source = layout === "line" ? line : wholeSource(stored);
    if (source === undefined) return undefined;
    const [found] = this.check({ input, file, source, layout, ...chosen }, row.part);
    return found;
  }

  /** The records of a text; with `only`, the one at that index. Never throws: a bad record is a result. */
  *check(unit: LogUnit, only?: number): Generator<CheckedRecord> {
    const { reader, place, source } = unit;
    const read = readText(unit);
    const nothing = { imported: undefined, leftOut: undefined, part: 0, source };
    const whole = { ...nothing, toTextPointer: (pointer: string): string => pointer };
    if (read.fault !== undefined) {
      const message = isPointer(source) ? LFS_POINTER : read.fault.message;
      yield { ...read.text, ...whole, faults: [{ ...read.fault, message }] };
      return;
    }
    const { text, value, measure, nonFinite } = read;
    const parts = reader.split?.(value, place) ?? splitRecords(value);
    if (parts.length === 0) {
      yield { ...text, ...whole, faults: [toNoRecord(value)] };
      return;
    }
    const textFaults = [...nonFinite, ...this.#findTextFaults(text, measure)];
    for (const [part, found] of parts.entries()) {
      if (only !== undefined && part !== only) continue;
      const isWhole = parts.length === 1;
      const deep = findDeepFault(found.value, found.value === value ? measure : undefined);
      const record = {
        // The bytes of a text are counted once.
        ...(part > 0 && "value" in text.line
          ? { ...text, line: { ...text.line, byteLength: 0 } }
          : text),
        ...{ imported: undefined, leftOut: undefined, part },
        // What is nested too deeply is not printed again.
        source: isWhole || deep ? source : toSource(source, found),
        toTextPointer: (pointer: string): string =>
          found.toTextPointer?.(pointer) ?? `${found.pointer}${pointer}`,
      };
      const own = textFaults.filter((fault) => findPart(parts, fault) === part);
      const fault =
        found.fault ?? (deep && { ...deep, pointer: record.toTextPointer(deep.pointer) });
      const imported: Imported = found.leftOut
        ? { kind: "left-out", fault: found.leftOut }
        : reader.read(found.value, place);
      const checked: CheckedRecord =
        fault === undefined
          ? this.#checkRecord(record, imported, own)
          : {
              ...{ ...record, faults: [{ ...fault, severity: "error" }] },
              rolloutId: rolloutOf(imported),
            };
      if (found.tally) checked.tally?.add(found.tally);
      const lost = (found.warnings ?? []).map((each) => ({
        ...each,
        severity: "warning" as const,
      }));
      // What a whole document drops is counted with its first record, even if that is skipped.
      const tally = checked.tally ?? found.tally;
      yield { ...checked, tally, faults: [...lost, ...checked.faults] };
    }
  }

  #checkRecord(
    record: Omit<CheckedRecord, "faults">,
    read: Imported,
    textFaults: readonly RecordFault[],
  ): CheckedRecord {
    const toFaults = (faults: readonly ImportFault[], severity: Severity): RecordFault[] =>
      faults.map((each) => ({ ...each, severity, pointer: record.toTextPointer(each.pointer) }));
    if (read.kind === "left-out") {
      const { fault, tally } = read;
      return { ...record, faults: toFaults([fault], "warning"), leftOut: fault.id, tally };
    }
    const rolloutId = rolloutOf(read);
    if (read.kind === "faulty")
      return { ...record, faults: toFaults(read.faults, "error"), rolloutId };
    const found = this.#supplements.apply(read);
    if (found.kind === "faulty")
      return { ...record, faults: toFaults(found.faults, "error"), rolloutId };
    const toTextPointer = (pointer: string): string =>
      record.toTextPointer(found.toSourcePointer(pointer));
    const faults = [
      ...textFaults,
      ...toFaults(found.warnings, "warning"),
      ...this.#findFaults(found.branch).map((fault) => ({
        ...fault,
        pointer: toTextPointer(fault.pointer),
      })),
    ];
    if (faults.some(({ severity }) => severity === "error"))
      return { ...record, faults, rolloutId };
    // Redacted after the checks, so that findings refer to the input.
    const branch = this.#redactor?.redact(found.branch) ?? found.branch;
    const printed = catchStringLimit(() => printJson(branch));
    if (printed === undefined) return { ...record, faults: [...faults, TOO_LONG], rolloutId };
    const imported = { ...found, text: printed, secrets: this.#redactor?.takeSecrets() };
    return { ...record, faults, imported, tally: found.tally, toTextPointer };
  }

  #findTextFaults({ line }: ReadText, measure: ValueMeasure): readonly RecordFault[] {
    return "value" in line ? checkLineRules({ text: line.text, measure }, this.#severities) : [];
  }

  #findFaults(branch: ImportedBranch["branch"]): readonly RecordFault[] {
    const unexportable = checkExportable(branch, measureValue(branch));
    // Branches that are nested too deeply are not passed to the rules.
    if (unexportable.length > 0) return unexportable;
    return checkRecordRules(branch, TYPE, this.#severities);
  }
}

function rolloutOf(read: Imported): string | undefined {
  if (read.kind === "branch") return read.branch.rollout_id;
  return read.kind === "faulty" ? read.rolloutId : undefined;
}

/** The index of the record that a fault of its text is in; that of the first one for a fault in none of them. */
function findPart(parts: readonly RecordPart[], { pointer: at }: RecordFault): number {
  const found = parts.findIndex(({ pointer }) => at === pointer || at.startsWith(`${pointer}/`));
  return Math.max(0, found);
}

const LFS_POINTER = "is a pointer of Git LFS, not the file itself: fetch that by git lfs pull";

function isPointer({ bytes }: SourceLine): boolean {
  return /^version \S+git-lfs\b/.test(bytes?.subarray(0, 60).toString("latin1") ?? "");
}

function toSource({ line, offset }: SourceLine, { value }: RecordPart): SourceLine {
  const stored = Buffer.from(JSON.stringify(value));
  return { line, offset, stored, bytes: stored };
}

function toNoRecord(value: unknown): RecordFault {
  // A document whose list of records is empty.
  const isHolder = isJsonObject(value) || (Array.isArray(value) && value.length === 0);
  if (isHolder) {
    return { id: "no-records", severity: "error", pointer: "", message: "holds no records" };
  }
  const cause = "must be an object, or an array of them";
  const message = `${cause}, is ${previewValue(value)}`;
  return { id: "type", severity: "error", pointer: "", message, cause };
}

const TYPE = "RolloutBranch" as const;

const TOO_LONG: RecordFault = {
  id: "json",
  severity: "error",
  pointer: "",
  message: "its branch would exceed the maximum string length",
};

/** Adds the faults of a record with line and column, even in a text of many lines. */
export function addFaults(
  findings: FindingList,
  { line, text, layout }: ReadText,
  faults: readonly RecordFault[],
): void {
  if (faults.length === 0) return;
  if (layout === "line" || ("fault" in line && layout === "joined")) {
    findings.add(line, faults);
    return;
  }
  const positions = findings.isListing
    ? positionsOf(text(), line, faults)
    : faults.map(() => ({ line: 1, column: 1 }));
  for (const [index, { id, severity, pointer, message, cause }] of faults.entries()) {
    const found = positions[index] ?? { line: 1, column: 1 };
    const place = layout === "joined" ? toJoinedPlace(found, pointer) : { ...found, pointer };
    findings.addLocated({ id, severity, file: line.file, message, cause, ...place });
  }
}

function positionsOf(text: string, line: RecordLine, faults: readonly RecordFault[]) {
  if ("fault" in line) return faults.map(() => toTextPosition(text, line.fault.column - 1));
  const located = locateAllInText(
    text,
    faults.map(({ pointer }) => pointer),
  );
  return faults.map(({ column }, index) =>
    column === undefined ? located[index] : toTextPosition(text, column - 1),
  );
}
