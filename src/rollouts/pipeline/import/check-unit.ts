import type { RecordFault } from "../../../base/findings/finding.js";
import { locateAllInText, toTextPosition } from "../../../base/findings/finding.js";
import type { FindingList } from "../../../base/findings/finding-list.js";
import { locateFirst, NonFiniteParser, type NonFiniteText } from "../../../base/json/non-finite.js";
import { printJson } from "../../../base/json/print.js";
import { measureValue } from "../../../base/json/value.js";
import { blockLines } from "../../../base/jsonl/blocks.js";
import { catchStringLimit } from "../../../base/jsonl/printer.js";
import { type ParsedRecord, type RecordLine, toRecordLine } from "../../../base/jsonl/reader.js";
import { formatCount } from "../../../base/text.js";
import {
  RecordRedactor,
  type RedactionPlan,
  type SecretCounts,
} from "../../capture/redact/line-redactor.js";
import { checkSemantics } from "../../wire/validation/check-record.js";
import type { RuleSeverities } from "../../wire/validation/profiles.js";
import { checkExportable } from "../build-block.js";
import type { LineReader } from "../reread.js";
import type { ImportedBranch, ImportReader } from "./sources/source.js";
import { documentUnit, type ImportRow, type LogUnit } from "./units.js";

/** A branch as JSON, and the secrets that were replaced in it. */
interface RedactedText {
  readonly text: string;
  readonly secrets: SecretCounts | undefined;
}

/** The outcome of one record of a log. */
export interface CheckedUnit extends ReadUnit {
  readonly faults: readonly RecordFault[];
  /** A valid branch as JSON; undefined if there is none. */
  readonly imported: (ImportedBranch & RedactedText) | undefined;
  /** Id of the reason why a record without faults yields no branch. */
  readonly leftOut: string | undefined;
}

/** Reads records of a log, and checks the branches they yield. */
export class UnitChecker {
  readonly #reader: ImportReader;
  readonly #severities: RuleSeverities;
  readonly #redactor: RecordRedactor | undefined;
  readonly #parser = new NonFiniteParser();

  constructor(reader: ImportReader, severities: RuleSeverities, redaction?: RedactionPlan) {
    this.#reader = reader;
    this.#severities = severities;
    this.#redactor = redaction && new RecordRedactor(redaction);
  }

  /**
   * Rereads a record to locate a fault that was detected only after all records were read. Undefined if its
   * input cannot be read again. Throws UserError (exit 3) if the input has changed.
   */
  reread(row: ImportRow, lines: LineReader): CheckedUnit | undefined {
    if (!lines.canRead(row.input)) return undefined;
    const { file, stored } = lines.read(row);
    if (row.isDocument) return this.check(documentUnit(row.input, file, stored));
    const [source] = blockLines({ line: row.line, offset: row.offset, bytes: stored });
    return source && this.check({ input: row.input, file, source, isDocument: false });
  }

  /** Never throws: a bad record is a result. */
  check({ file, source, isDocument }: LogUnit): CheckedUnit {
    const parsed = toRecordLine(file, source, (text) => this.#parser.parse(text));
    const nonFinite = "value" in parsed ? this.#parser.latest : undefined;
    // Pointers can be located only in valid JSON.
    const line = nonFinite && "value" in parsed ? { ...parsed, text: nonFinite.json } : parsed;
    const text = (): string =>
      "text" in line ? line.text : (source.bytes?.toString("utf8") ?? "");
    const result = { line, text, isDocument, imported: undefined, leftOut: undefined };
    if ("fault" in line) {
      const { id, message, cause } = line.fault;
      return { ...result, faults: [{ id, severity: "error", pointer: "", message, cause }] };
    }
    const found = this.#reader.read(line.value);
    if (found.kind === "left-out") {
      const faults = [{ ...found.fault, severity: "warning" as const }];
      return { ...result, faults, leftOut: found.fault.id };
    }
    if (found.kind === "faulty") {
      return { ...result, faults: found.faults.map((each) => ({ ...each, severity: "error" })) };
    }
    const faults = [...findNonFinite(nonFinite), ...this.#findFaults(found, line)];
    if (faults.some(({ severity }) => severity === "error")) return { ...result, faults };
    // Redacted after the checks, so that findings refer to the input.
    const branch = this.#redactor?.redact(found.branch) ?? found.branch;
    const printed = catchStringLimit(() => printJson(branch));
    if (printed === undefined) return { ...result, faults: [...faults, TOO_LONG] };
    const imported = { ...found, text: printed, secrets: this.#redactor?.takeSecrets() };
    return { ...result, faults, imported };
  }

  #findFaults(found: ImportedBranch, line: ParsedRecord): RecordFault[] {
    const { branch, warnings } = found;
    const unexportable = checkExportable(branch, measureValue(branch));
    const measure = measureValue(line.value);
    // Branches that are nested too deeply are not passed to the rules.
    const faults =
      unexportable.length > 0
        ? unexportable
        : checkSemantics({ ...line, value: branch, measure }, TYPE, this.#severities);
    return [
      ...warnings.map((each) => ({ ...each, severity: "warning" as const })),
      // A fault with a column refers to the input text; other faults refer to the branch.
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
  message: "its branch would exceed the maximum string length",
};

function findNonFinite(found: NonFiniteText | undefined): RecordFault[] {
  if (found === undefined) return [];
  const { words } = found;
  const names = [...new Set(words.map(({ word }) => word))].join(", ");
  const message = `${formatCount(words.length, "number")} that no JSON holds, read as null: ${names}`;
  const column = (words[0]?.start ?? 0) + 1;
  const pointer = locateFirst(found);
  const cause = "null";
  return [{ id: "non-finite-number", severity: "warning", pointer, column, message, cause }];
}

/** A record of a log, parsed or not. */
interface ReadUnit {
  readonly line: RecordLine;
  /** Returns the whole text, in which syntax errors are located. */
  readonly text: () => string;
  readonly isDocument: boolean;
}

/** Adds the faults of a record with line and column, even in a document of many lines. */
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
  for (const [index, { id, severity, pointer, message, cause }] of faults.entries()) {
    const place = positions[index] ?? { line: 1, column: 1 };
    findings.addLocated({ id, severity, file: line.file, ...place, pointer, message, cause });
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
