import { displayName } from "../files/source.js";
import { locatePointers } from "../json/pointer.js";
import { type FaultyLine, positionInRecord, type TextLine } from "../jsonl/record-line.js";
import { packageVersion } from "../package.js";
import { type AcceptedPlace, isAccepted } from "./accepted.js";
import { type Cause, CauseCounts, causeOf } from "./causes.js";
import type { Finding, FindingPlace, RecordFault, Severity } from "./finding.js";
import type { Report, SeverityCounts } from "./report.js";

export interface FindingLimits {
  /** Maximum number of listed findings for each severity. */
  readonly maxErrors: number;
  /** Maximum number of warnings; further ones become errors. Default: no limit. */
  readonly maxWarnings?: number | undefined;
  /** Number of findings that the list for which this is a part has already: so many fewer are listed. Default: none. */
  readonly found?: SeverityCounts;
  /** Places whose findings are known: they are counted apart, and not listed. Default: none. */
  readonly accepted?: readonly AcceptedPlace[] | undefined;
}

/**
 * Limits for a part of the input whose tally is added to a list with `limits`. The part lists every finding
 * that the whole list could list, as a warning or, beyond the maximum, as an error.
 */
export function toPartLimits({
  maxErrors,
  maxWarnings = 0,
  accepted,
}: FindingLimits): FindingLimits {
  return { maxErrors: maxErrors + maxWarnings, accepted };
}

/**
 * A finding that is listed. It is located in its line only when it is reported: that takes long, and a part lists findings
 * that the whole list no longer does.
 */
interface ListedFinding extends Finding {
  readonly unlocated?: LineText;
}

/** The line of a finding whose column is not known. */
type LineText = Pick<TextLine, "line" | "column" | "text">;

/** Most UTF-16 code units of lines that a list keeps. Findings in further lines are located at once. */
const MAX_KEPT_TEXT = 2 ** 20;

/** The result for one part of the input: plain data that a worker can send. */
export interface FindingTally {
  readonly records: number;
  readonly bytes: number;
  /** The listed findings. */
  readonly findings: readonly ListedFinding[];
  /** All findings, listed or not. */
  readonly found: Readonly<Record<Severity, number>>;
  readonly warningIds: readonly string[];
  /** Number of findings that are accepted. They are not among the others. */
  readonly accepted: number;
  /** Number of the findings that are not listed, by cause, as far as they were counted. */
  readonly unlistedCauses: ReadonlyMap<Cause, number>;
}

/**
 * Collects findings. Counts all of them, but keeps only the first of each severity, so memory is bounded.
 */
export class FindingList {
  readonly limits: FindingLimits;
  readonly #findings: ListedFinding[] = [];
  readonly #found = { error: 0, warning: 0 };
  #keptText = 0;
  readonly #warningIds = new Set<string>();
  readonly #unlistedCauses = new CauseCounts();
  #records = 0;
  #lostAll = false;
  #bytes = 0;
  #accepted = 0;

  constructor(limits: FindingLimits) {
    this.limits = limits;
  }

  /** Counts a line as checked, and adds its faults. */
  addChecked(line: TextLine | FaultyLine, faults: readonly RecordFault[]): void {
    this.#records += 1;
    this.#bytes += line.byteLength;
    this.add(line, faults);
  }

  /** Adds faults of a line that is already counted. */
  add(line: TextLine | FaultyLine, faults: readonly RecordFault[]): void {
    const listed: ListedFinding[] = [];
    let source: LineText | undefined;
    for (const fault of faults) {
      if (isAccepted(line.file, fault, this.limits.accepted)) {
        this.#accepted += 1;
        continue;
      }
      const { id, severity, pointer, message, cause, column } = this.#applyLimit(fault);
      const head = { id, severity, file: line.file };
      const tail = { pointer, message, cause };
      if (!this.#count(head)) this.#countCause({ ...head, ...tail });
      else if ("fault" in line) {
        const position = line.position ?? { line: line.line, column: line.fault.column };
        listed.push({ ...head, ...position, ...tail });
      } else {
        source ??= { line: line.line, column: line.column, text: line.text };
        const position = positionOf(source, column ?? 1);
        const unlocated = column === undefined && source;
        listed.push({ ...head, ...position, ...tail, ...(unlocated && { unlocated }) });
      }
    }
    this.#list(listed);
  }

  /** Lists findings of one line. */
  #list(findings: readonly ListedFinding[]): void {
    const text = findings.find(({ unlocated }) => unlocated)?.unlocated?.text ?? "";
    const isKept = this.#keptText + text.length <= MAX_KEPT_TEXT;
    if (isKept) this.#keptText += text.length;
    this.#findings.push(...(isKept ? findings : locate(findings)));
  }

  /** Whether the next finding may still be listed. */
  get isListing(): boolean {
    return this.#hasRoom("error", this.errors) || this.#hasRoom("warning", this.warnings);
  }

  /** Limits for a part that will be added to this list. Locating a finding takes long, so it lists only what is needed. */
  get partLimits(): FindingLimits {
    return { ...toPartLimits(this.limits), found: { ...this.#found } };
  }

  /** Adds an error about a whole file. */
  addToFile(file: string, id: string, message: string): void {
    this.addLocated({ id, severity: "error", file, line: 1, column: 1, pointer: "", message });
  }

  /** Whether the only error is that all records were left out. */
  get lostAll(): boolean {
    return this.#lostAll;
  }

  /**
   * Adds an error for every file if no file contains a record: a run that checked nothing must fail. `leftOut` is the
   * number of omitted records.
   */
  addNoRecords(files: readonly string[], leftOut: number = 0): void {
    if (this.#records > leftOut) return;
    this.#lostAll = leftOut > 0;
    const message =
      leftOut > 0
        ? "contains no valid records: all were skipped"
        : "contains no records: nothing was checked";
    for (const file of files) this.addToFile(displayName(file), "no-records", message);
  }

  /** Adds a finding whose position is known; returns it as counted here. */
  addLocated(finding: Finding): Finding {
    const limited = { ...finding, ...this.#applyLimit(finding) };
    if (this.#count(limited)) this.#list([limited]);
    else this.#countCause(limited);
    return limited;
  }

  /** Counts a finding. Calls `build`, lists its result and returns it, if the finding is one of the first. */
  addIfListed<T extends Finding>(
    known: Pick<Finding, "id" | "severity">,
    build: () => T,
  ): T | undefined {
    const limited = this.#applyLimit(known);
    if (!this.#count(limited)) return undefined;
    const finding = { ...build(), severity: limited.severity };
    this.#findings.push(finding);
    return finding;
  }

  /**
   * Adds the findings of another list. The result is the same as adding them here directly, if the other list
   * has the limits of `partLimits`. Findings that it did not list are only counted.
   */
  addTally(tally: FindingTally): void {
    const { records, bytes, accepted, findings, found, warningIds, unlistedCauses } = tally;
    this.#records += records;
    this.#bytes += bytes;
    this.#accepted += accepted;
    const unlisted = { ...found };
    for (const finding of findings) {
      unlisted[finding.severity] -= 1;
      this.addLocated(finding);
    }
    const { maxWarnings = Number.POSITIVE_INFINITY } = this.limits;
    const allowed = Math.min(unlisted.warning, Math.max(0, maxWarnings - this.warnings));
    this.#found.warning += allowed;
    this.#found.error += unlisted.error + unlisted.warning - allowed;
    if (this.#countsCauses) {
      for (const [cause, count] of unlistedCauses) this.#unlistedCauses.add(cause, count);
    }
    if (allowed > 0) for (const id of warningIds) this.#warningIds.add(id);
  }

  /** Everything added so far, as plain data. */
  toTally(): FindingTally {
    return {
      records: this.#records,
      bytes: this.#bytes,
      findings: this.#findings,
      found: { ...this.#found },
      warningIds: this.warningIds,
      accepted: this.#accepted,
      unlistedCauses: this.#unlistedCauses.counts,
    };
  }

  get errors(): number {
    return this.#found.error;
  }

  get warnings(): number {
    return this.#found.warning;
  }

  /** Ids of the warnings, in order of first appearance. */
  get warningIds(): readonly string[] {
    return [...this.#warningIds];
  }

  /** Number of findings that are accepted, and in no other count. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Number of checked lines. */
  get records(): number {
    return this.#records;
  }

  /** Their total length, without line breaks. */
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
      findings: locate(this.#findings),
      found: { error, warning },
      notListed: {
        error: error - this.#listed("error"),
        warning: warning - this.#listed("warning"),
      },
      unlistedCauses: this.#unlistedCauses.counts,
    };
  }

  #applyLimit<T extends Pick<Finding, "severity">>(fault: T): T {
    const { maxWarnings = Number.POSITIVE_INFINITY } = this.limits;
    const tooMany = fault.severity === "warning" && this.warnings >= maxWarnings;
    return tooMany ? { ...fault, severity: "error" } : fault;
  }

  /** Counts a finding; returns whether to list it. */
  #count({ id, severity }: Pick<Finding, "id" | "severity">): boolean {
    this.#found[severity] += 1;
    if (severity === "warning") this.#warningIds.add(id);
    return this.#hasRoom(severity, this.#found[severity] - 1);
  }

  /** Whether a finding is listed after `count` others of its severity. */
  #hasRoom(severity: Severity, count: number): boolean {
    const { maxErrors, found } = this.limits;
    return count + (found?.[severity] ?? 0) < maxErrors;
  }

  /** Only if findings can be listed whose causes are then known. */
  #countCause(finding: Parameters<typeof causeOf>[0]): void {
    if (this.limits.maxErrors > 0 && this.#countsCauses) this.#unlistedCauses.add(causeOf(finding));
  }

  /** With a limit of warnings, which of them count as errors depends on their order, so causes are not counted. */
  get #countsCauses(): boolean {
    return this.limits.maxWarnings === undefined;
  }

  #listed(severity: Severity): number {
    return this.#findings.filter((finding) => finding.severity === severity).length;
  }
}

/** The findings of a tally at other places: those in the records from which its own were made, which are counted already. */
export function relocate(
  tally: FindingTally,
  locate: (place: FindingPlace) => FindingPlace,
): FindingTally {
  const findings = tally.findings.map(({ unlocated: _, ...finding }) => {
    return { ...finding, ...locate(finding) };
  });
  return { ...tally, findings, records: 0, bytes: 0 };
}

/** The position in the file of a column of a line or record. */
function positionOf(
  { line, column: begin, text }: LineText,
  column: number,
): { readonly line: number; readonly column: number } {
  if (begin === undefined) return { line, column };
  return positionInRecord(text, column - 1, { line, column: begin });
}

/** The findings with their positions. */
function locate(findings: readonly ListedFinding[]): Finding[] {
  const pointers = new Map<LineText, Set<string>>();
  for (const { unlocated, pointer } of findings) {
    if (unlocated === undefined) continue;
    const known = pointers.get(unlocated);
    if (known === undefined) pointers.set(unlocated, new Set([pointer]));
    else known.add(pointer);
  }
  const columns = new Map<LineText, ReadonlyMap<string, number>>();
  for (const [source, named] of pointers) {
    const list = [...named];
    const found = locatePointers(source.text, list);
    columns.set(source, new Map(list.map((pointer, index) => [pointer, found[index] ?? 1])));
  }
  return findings.map(({ unlocated, ...finding }) => {
    if (unlocated === undefined) return finding;
    const column = columns.get(unlocated)?.get(finding.pointer) ?? 1;
    return { ...finding, ...positionOf(unlocated, column) };
  });
}
