import { resolve } from "node:path";
import { isRereadable } from "../../files/inputs.js";
import { displayName, type InputSource } from "../../files/source.js";
import type { RecordFault } from "../../findings/finding.js";
import { locateAllInText, toTextPosition } from "../../findings/finding.js";
import type { FindingList } from "../../findings/finding-list.js";
import type { ImportedBranch, ImportReader } from "../../import/source.js";
import { locateFirst, NonFiniteParser, type NonFiniteText } from "../../json/non-finite.js";
import { measureValue } from "../../json/value.js";
import { blockLines } from "../../jsonl/blocks.js";
import { catchStringLimit } from "../../jsonl/printer.js";
import { type ParsedRecord, type RecordLine, toRecordLine } from "../../jsonl/reader.js";
import { formatCount } from "../../text.js";
import { checkSemantics } from "../../validation/check-record.js";
import type { RuleSeverities } from "../../validation/profiles.js";
import { checkExportable } from "../build-block.js";
import { LineReader, type RereadableInput, type StoredLine } from "../reread.js";
import { documentUnit, type ImportRow, type LogUnit } from "./units.js";

/** What came of one record of a log. */
export interface CheckedUnit extends ReadUnit {
  readonly faults: readonly RecordFault[];
  /** A valid branch, and the line that holds it; undefined when there is none. */
  readonly imported: (ImportedBranch & { readonly text: string }) | undefined;
  /** Why there is none though nothing is wrong: the id by which it is counted. */
  readonly leftOut: string | undefined;
}

/** Reads records of a log, and holds what comes of them against the rules. */
export class UnitChecker {
  readonly #reader: ImportReader;
  readonly #severities: RuleSeverities;
  readonly #parser = new NonFiniteParser();

  constructor(reader: ImportReader, severities: RuleSeverities) {
    this.#reader = reader;
    this.#severities = severities;
  }

  /** Whatever the record holds, it is a result. */
  judge({ file, source, isDocument }: LogUnit): CheckedUnit {
    const parsed = toRecordLine(file, source, (text) => this.#parser.parse(text));
    const nonFinite = "value" in parsed ? this.#parser.latest : undefined;
    // Its places can be looked up only in what is JSON.
    const line = nonFinite && "value" in parsed ? { ...parsed, text: nonFinite.json } : parsed;
    const text = (): string =>
      "text" in line ? line.text : (source.bytes?.toString("utf8") ?? "");
    const result = { line, text, isDocument, imported: undefined, leftOut: undefined };
    if ("fault" in line) {
      const { id, message } = line.fault;
      return { ...result, faults: [{ id, severity: "error", pointer: "", message }] };
    }
    const found = this.#reader.read(line.value);
    if (found.kind === "left-out") {
      const faults = [{ ...found.fault, severity: "warning" as const }];
      return { ...result, faults, leftOut: found.fault.id };
    }
    if (found.kind === "faulty") {
      return { ...result, faults: found.faults.map((each) => ({ ...each, severity: "error" })) };
    }
    const faults = [...findNonFinite(nonFinite), ...this.#check(found, line)];
    if (faults.some(({ severity }) => severity === "error")) return { ...result, faults };
    const printed = catchStringLimit(() => JSON.stringify(found.branch));
    if (printed === undefined) return { ...result, faults: [...faults, TOO_LONG] };
    return { ...result, faults, imported: { ...found, text: printed } };
  }

  #check(found: ImportedBranch, line: ParsedRecord): RecordFault[] {
    const { branch, warnings } = found;
    const unexportable = checkExportable(branch, measureValue(branch));
    const measure = measureValue(line.value);
    // What is nested beyond all bounds is shown to no rule.
    const faults =
      unexportable.length > 0
        ? unexportable
        : checkSemantics({ ...line, value: branch, measure }, TYPE, this.#severities);
    return [
      ...warnings.map((each) => ({ ...each, severity: "warning" as const })),
      // A fault with a column is one of the text as it was read, the others are of the branch.
      ...faults.map((fault) =>
        fault.column === undefined
          ? { ...fault, pointer: found.toSourcePointer(fault.pointer) }
          : fault,
      ),
    ];
  }
}

const TYPE = "RolloutBranch" as const;

const TOO_LONG: RecordFault = {
  id: "json",
  severity: "error",
  pointer: "",
  message: "its branch would be longer than a string can be",
};

function findNonFinite(found: NonFiniteText | undefined): RecordFault[] {
  if (found === undefined) return [];
  const { words } = found;
  const names = [...new Set(words.map(({ word }) => word))].join(", ");
  const message = `${formatCount(words.length, "number")} that no JSON holds, read as null: ${names}`;
  const column = (words[0]?.start ?? 0) + 1;
  const pointer = locateFirst(found);
  return [{ id: "non-finite-number", severity: "warning", pointer, column, message }];
}

/** A record of a log that was parsed, or could not be. */
export interface ReadUnit {
  readonly line: RecordLine;
  /** All of it, for the place of what is no JSON. */
  readonly text: () => string;
  readonly isDocument: boolean;
}

/** Adds what is wrong with a record, each with its line and column, also in a document of many lines. */
export function addFaults(
  findings: FindingList,
  { line, text, isDocument }: ReadUnit,
  faults: readonly RecordFault[],
): void {
  if (faults.length === 0) return;
  if (!isDocument) {
    findings.add(line, faults);
    return;
  }
  const positions = findings.isListing
    ? positionsOf(text(), line, faults)
    : faults.map(() => ({ line: 1, column: 1 }));
  for (const [index, { id, severity, pointer, message }] of faults.entries()) {
    const place = positions[index] ?? { line: 1, column: 1 };
    findings.addLocated({ id, severity, file: line.file, ...place, pointer, message });
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

/** Reads records once more, for the place of a fault that only showed when all of them were read. */
export class UnitsAgain {
  readonly #inputs: ReadonlyMap<number, RereadableInput>;
  readonly #reader: LineReader;
  readonly #judge: UnitChecker;

  /** `inputs` by their index; the others cannot be read again. */
  constructor(inputs: ReadonlyMap<number, RereadableInput>, judge: UnitChecker) {
    this.#inputs = inputs;
    this.#reader = new LineReader(inputs);
    this.#judge = judge;
  }

  /** Undefined when it cannot be had. Throws UserError (exit 3) when the input has changed. */
  find(row: ImportRow): CheckedUnit | undefined {
    if (!this.#inputs.has(row.input)) return undefined;
    const { file, stored } = this.read(row);
    if (row.isDocument) return this.#judge.judge(documentUnit(row.input, file, stored));
    const [source] = blockLines({ line: row.line, offset: row.offset, bytes: stored });
    return source && this.#judge.judge({ input: row.input, file, source, isDocument: false });
  }

  /** The bytes of a record. Throws as `find` does. */
  read(row: ImportRow): StoredLine {
    return this.#reader.read(row);
  }

  close(): void {
    this.#reader.close();
  }
}

/** The inputs that can be read twice as they are, by their index. */
export async function findRereadable(
  files: readonly string[],
  source: InputSource,
): Promise<ReadonlyMap<number, RereadableInput>> {
  const inputs = new Map<number, RereadableInput>();
  for (const [index, file] of files.entries()) {
    if (!(await isRereadable(file, source))) continue;
    inputs.set(index, { file: displayName(file), path: resolve(source.cwd, file) });
  }
  return inputs;
}
