import { locatePointers } from "../json/pointer.js";
import type { RecordLine } from "../jsonl/reader.js";
import { packageVersion } from "../package-version.js";
import type { Finding, RecordFault, Severity } from "./finding.js";
import type { Report } from "./report.js";

export interface FindingLimits {
  /** How many findings of each severity are listed. */
  readonly maxErrors: number;
  /** How many warnings there may be, any number when undefined; those beyond are errors. */
  readonly maxWarnings?: number | undefined;
}

/**
 * Limits for the list of a part of the input, whose tally is added to a list with `limits`: it lists
 * whatever that list could have to list, as warnings or, beyond their number, as errors.
 */
export function toPartLimits({ maxErrors, maxWarnings = 0 }: FindingLimits): FindingLimits {
  return { maxErrors: maxErrors + maxWarnings };
}

/** What a part of the input gave, as plain data that a worker can send. */
export interface FindingTally {
  readonly records: number;
  readonly bytes: number;
  /** Findings that are listed, with their places. */
  readonly findings: readonly Finding[];
  /** All of them, listed or not. */
  readonly found: Readonly<Record<Severity, number>>;
  readonly warningIds: readonly string[];
}

/**
 * Collects findings: counts all of them, and keeps and locates the first of each severity, so that
 * memory stays bounded whatever the input.
 */
export class FindingList {
  readonly limits: FindingLimits;
  readonly #findings: Finding[] = [];
  readonly #found = { error: 0, warning: 0 };
  readonly #warningIds = new Set<string>();
  #records = 0;
  #bytes = 0;

  constructor(limits: FindingLimits) {
    this.limits = limits;
  }

  /** Counts a line as checked, with what is wrong with it. */
  addChecked(line: RecordLine, faults: readonly RecordFault[]): void {
    this.#records += 1;
    this.#bytes += line.byteLength;
    this.add(line, faults);
  }

  /** Adds what is wrong with a line that is counted already. */
  add(line: RecordLine, faults: readonly RecordFault[]): void {
    const listed: RecordFault[] = [];
    for (const fault of faults) {
      const limited = this.#applyLimit(fault);
      if (this.#count(limited)) listed.push(limited);
    }
    if (listed.length === 0) return;
    const columns = columnsOf(line, listed);
    for (const [index, { id, severity, pointer, message, ...known }] of listed.entries()) {
      const { file, line: number } = line;
      const column = known.column ?? columns[index] ?? 1;
      this.#findings.push({ id, severity, file, line: number, column, pointer, message });
    }
  }

  /** Whether a finding that is added now may be listed. */
  get isListing(): boolean {
    const { maxErrors } = this.limits;
    return this.errors < maxErrors || this.warnings < maxErrors;
  }

  /** Adds an error about a file as a whole. */
  addToFile(file: string, id: string, message: string): void {
    this.addLocated({ id, severity: "error", file, line: 1, column: 1, pointer: "", message });
  }

  /** Adds a finding whose place is known; gives it as it is counted here. */
  addLocated(finding: Finding): Finding {
    const limited = { ...finding, ...this.#applyLimit(finding) };
    if (this.#count(limited)) this.#findings.push(limited);
    return limited;
  }

  /**
   * Adds what another list found, the same as if it had been added here when that list has the limits
   * of `toPartLimits`. Of findings that it did not list, only the number is known.
   */
  addTally({ records, bytes, findings, found, warningIds }: FindingTally): void {
    this.#records += records;
    this.#bytes += bytes;
    const unlisted = { ...found };
    for (const finding of findings) {
      unlisted[finding.severity] -= 1;
      this.addLocated(finding);
    }
    const { maxWarnings = Number.POSITIVE_INFINITY } = this.limits;
    const allowed = Math.min(unlisted.warning, Math.max(0, maxWarnings - this.warnings));
    this.#found.warning += allowed;
    this.#found.error += unlisted.error + unlisted.warning - allowed;
    if (allowed > 0) for (const id of warningIds) this.#warningIds.add(id);
  }

  /** What was added so far, as plain data. */
  toTally(): FindingTally {
    return {
      records: this.#records,
      bytes: this.#bytes,
      findings: this.#findings,
      found: { ...this.#found },
      warningIds: this.warningIds,
    };
  }

  get errors(): number {
    return this.#found.error;
  }

  get warnings(): number {
    return this.#found.warning;
  }

  /** Ids of the warnings, in the order in which they first came. */
  get warningIds(): readonly string[] {
    return [...this.#warningIds];
  }

  /** How many lines were checked. */
  get records(): number {
    return this.#records;
  }

  /** How long they are together, without line breaks. */
  get bytes(): number {
    return this.#bytes;
  }

  toReport(command: string): Report {
    const { error, warning } = this.#found;
    return {
      command,
      version: packageVersion(),
      checked: this.#records,
      thing: "record",
      findings: this.#findings,
      found: { error, warning },
      notListed: {
        error: error - this.#listed("error"),
        warning: warning - this.#listed("warning"),
      },
    };
  }

  #applyLimit(fault: RecordFault): RecordFault {
    const { maxWarnings = Number.POSITIVE_INFINITY } = this.limits;
    const tooMany = fault.severity === "warning" && this.warnings >= maxWarnings;
    return tooMany ? { ...fault, severity: "error" } : fault;
  }

  /** Counts a finding; whether it is to be listed. */
  #count({ id, severity }: RecordFault): boolean {
    this.#found[severity] += 1;
    if (severity === "warning") this.#warningIds.add(id);
    return this.#found[severity] <= this.limits.maxErrors;
  }

  #listed(severity: Severity): number {
    return this.#findings.filter((finding) => finding.severity === severity).length;
  }
}

function columnsOf(line: RecordLine, faults: readonly RecordFault[]): readonly number[] {
  if ("fault" in line) return faults.map(() => line.fault.column);
  if (faults.every(({ column }) => column !== undefined)) return [];
  return locatePointers(
    line.text,
    faults.map(({ pointer }) => pointer),
  );
}
