import { join } from "node:path";
import { crc32 } from "node:zlib";
import { RowLog } from "../../../base/files/row-log.js";
import { ScratchFile } from "../../../base/files/scratch-file.js";
import { displayName, type InputSource } from "../../../base/files/source.js";
import type { StagedFile } from "../../../base/files/staging.js";
import type { RecordFault } from "../../../base/findings/finding.js";
import { FindingList } from "../../../base/findings/finding-list.js";
import { fileBlocks, RereadableInputs } from "../../../base/jsonl/file-blocks.js";
import { requireReject, toReject, toWarning } from "../../../base/run/rejects.js";
import { runStaged, SILENT, type Stage, type StagedRequest } from "../../../base/run/staged-run.js";
import { hashText } from "../../../base/text.js";
import {
  type RedactionPlan,
  SecretCounter,
  type SecretCounts,
} from "../../capture/redact/line-redactor.js";
import { type BranchFault, checkBranches } from "../../wire/validation/check-record.js";
import type { RuleSeverities } from "../../wire/validation/profiles.js";
import { groupPositions, splitCollisions } from "../groups.js";
import { createFaultLists, createRejectRedactor } from "../rejects.js";
import { LineReader } from "../reread.js";
import { addFaults, type CheckedUnit, UnitChecker } from "./check-unit.js";
import { BranchOutput } from "./output.js";
import type { ImportReader } from "./sources/source.js";
import { type ImportRow, importCodec, type LogUnit, readUnits } from "./units.js";

interface ImportRequest extends StagedRequest {
  readonly severities: RuleSeverities;
  readonly reader: ImportReader;
  /** Whether a file may be one JSON document of several lines. */
  readonly documents: boolean;
  /** Absolute path. */
  readonly output: string;
  /** Undefined: secrets stay. */
  readonly redaction?: RedactionPlan | undefined;
}

/** What was read and imported. */
export interface ImportOutcome {
  readonly findings: FindingList;
  readonly counts: ImportCounts;
  /** Whether the output was committed. False if there were errors. */
  readonly written: boolean;
}

/**
 * Imports the records of logs as branches, in order and atomically: see `runStaged`. Memory grows only with the
 * longest document, not with the files.
 *
 * Throws UserError (exit 3) if a file cannot be read or written.
 */
export function importFiles(request: ImportRequest, source: InputSource): Promise<ImportOutcome> {
  return runStaged((stage) => importStaged(request, source, stage), request.staging);
}

async function importStaged(
  request: ImportRequest,
  source: InputSource,
  { staging, folder, closing }: Stage,
): Promise<ImportOutcome> {
  const { documents, progress = SILENT, skipInvalid, redaction } = request;
  const file = await staging.open(request.output);
  const rejects = request.rejects === undefined ? undefined : await staging.open(request.rejects);
  const log = closing(new RowLog(join(folder, "rows"), importCodec));
  // Whether a branch is kept is known only after its whole rollout is read.
  const scratch = skipInvalid ? closing(new ScratchFile(join(folder, "branches"))) : undefined;
  const prepare = redaction ? createRejectRedactor(redaction) : (lines: Uint8Array) => lines;
  const output = new BranchOutput(file, scratch);
  const run = new ImportRun(request, { output, rejects, log, prepare });
  const files = run.refuseFiles(request.files);
  const onStored = (_input: number, chunk: Uint8Array): void =>
    progress.read(chunk.length, run.findings.records);
  // Rejected rollouts are kept as the lines that were read, so inputs that cannot be read again are copied.
  const copyFolder = skipInvalid && rejects !== undefined ? folder : undefined;
  const rereadable = new RereadableInputs(files, source, copyFolder);
  const blocks = rereadable.pass(fileBlocks(files, source, { onStored }));
  for await (const unit of readUnits(blocks, documents)) await run.take(unit);
  await run.checkRollouts(closing(new LineReader(rereadable.inputs)), folder);
  const written = await run.finish(request.files);
  return { findings: run.findings, counts: run.counts(), written };
}

/** How records are read and checked. */
type ImportRules = Pick<
  ImportRequest,
  "reader" | "limits" | "severities" | "skipInvalid" | "redaction"
>;

/** Where imported branches are written. */
interface ImportPlaces {
  readonly output: BranchOutput;
  readonly rejects: StagedFile | undefined;
  readonly log: RowLog<ImportRow>;
  /** Prepares whole lines for the rejects. */
  readonly prepare: (lines: Uint8Array) => Uint8Array;
}

/** Processes the records of logs one by one, and counts them. */
class ImportRun {
  readonly findings: FindingList;
  readonly #checker: UnitChecker;
  readonly #rules: ImportRules;
  readonly #places: ImportPlaces;
  #files: readonly string[] = [];
  readonly #leftOut = new Map<string, number>();
  /** One bit per branch ordinal: set if its rollout is invalid. */
  #dropped = new Uint8Array();
  #refusedFiles = 0;
  #invalid = 0;
  #rollouts = 0;
  #invalidRollouts = 0;
  #invalidBranches = 0;
  #skippedSteps = 0;
  readonly #secrets = new SecretCounter();

  constructor(rules: ImportRules, places: ImportPlaces) {
    this.#rules = rules;
    this.#places = places;
    this.findings = new FindingList(rules.limits);
    this.#checker = new UnitChecker(rules.reader, rules.severities, rules.redaction);
  }

  /** Returns the files that are not rejected as a whole. */
  refuseFiles(files: readonly string[]): readonly string[] {
    const { reader, skipInvalid } = this.#rules;
    this.#files = files.filter((file) => {
      const fault = reader.refuseFile(file);
      if (fault === undefined) return true;
      const severity = skipInvalid ? "warning" : "error";
      this.findings.addLocated({
        ...fault,
        severity,
        file: displayName(file),
        line: 1,
        column: 1,
      });
      this.#refusedFiles += 1;
      return false;
    });
    return this.#files;
  }

  async take(unit: LogUnit): Promise<void> {
    const checked = this.#checker.check(unit);
    const { imported, leftOut } = checked;
    if (imported === undefined) {
      if (leftOut === undefined) this.#invalid += 1;
      else this.#leftOut.set(leftOut, (this.#leftOut.get(leftOut) ?? 0) + 1);
      return await this.#leaveOut(checked, unit);
    }
    this.findings.addChecked(checked.line, []);
    addFaults(this.findings, checked, checked.faults);
    // Warnings beyond the limit become an error. Then nothing is written.
    if (this.findings.errors > 0) return;
    const { input, source, isDocument } = unit;
    const { rollout_id: id, branch_index: branchIndex, task } = imported.branch;
    this.#places.log.add({
      hash: hashText(id),
      otherHash: hashText(`\0${id}`),
      input,
      offset: source.offset,
      length: source.stored.length,
      line: source.line,
      checksum: crc32(source.stored),
      branchIndex,
      task: hashText(task),
      ordinal: this.#places.output.branches,
      isDocument,
      rank: undefined,
      totalScore: undefined,
    });
    this.#skippedSteps += imported.skippedSteps;
    this.#secrets.add(imported.secrets ?? []);
    await this.#places.output.add(imported.text);
  }

  /**
   * Checks the rollouts after all files are read, because their branches may be scattered. Skipped if there are
   * errors.
   */
  async checkRollouts(lines: LineReader, folder: string): Promise<void> {
    if (this.findings.errors > 0) return;
    const { severities, skipInvalid } = this.#rules;
    this.#dropped = new Uint8Array(Math.ceil(this.#places.output.branches / 8));
    for (const sameHash of groupPositions(this.#places.log, folder)) {
      for (const rows of splitCollisions(sameHash)) {
        const faults = checkBranches(rows, severities);
        const isInvalid = faults.some(({ severity }) => severity === "error");
        for (const { branch, ...fault } of faults) {
          const row = rows[branch];
          if (row === undefined) continue;
          const severity = skipInvalid ? "warning" : fault.severity;
          this.#addRolloutFault({ ...fault, severity }, row, lines);
        }
        if (!isInvalid || !skipInvalid) {
          this.#rollouts += 1;
          continue;
        }
        this.#invalidRollouts += 1;
        this.#invalidBranches += rows.length;
        await this.#drop(rows, faults, lines);
      }
    }
  }

  /** Completes the output. Returns whether it may be committed. `files` are all inputs, rejected or not. */
  async finish(files: readonly string[]): Promise<boolean> {
    const { findings } = this;
    if (findings.errors === 0) {
      const imported = this.#places.output.branches - this.#invalidBranches;
      findings.addNoRecords(files, findings.records - imported);
    }
    if (findings.errors > 0) return false;
    const dropped = this.#dropped;
    await this.#places.output.finish(
      (ordinal) => (((dropped[ordinal >> 3] ?? 0) >> (ordinal & 7)) & 1) === 1,
    );
    return true;
  }

  counts(): ImportCounts {
    return {
      branches: this.#places.output.branches - this.#invalidBranches,
      rollouts: this.#rollouts,
      invalid: this.#invalid,
      invalidRollouts: this.#invalidRollouts,
      invalidBranches: this.#invalidBranches,
      refusedFiles: this.#refusedFiles,
      leftOut: this.#leftOut,
      skippedSteps: this.#skippedSteps,
      secrets: this.#secrets.counts,
    };
  }

  async #leaveOut(checked: CheckedUnit, { source }: LogUnit): Promise<void> {
    const { line, faults, leftOut } = checked;
    const { rejects } = this.#places;
    this.findings.addChecked(line, []);
    const wants = rejects !== undefined && source.bytes !== undefined;
    const reject = wants ? toReject(line, faults, source.stored) : undefined;
    // A record that cannot be stored among the rejects is an error: no record is omitted silently.
    const isKept = rejects === undefined ? source.bytes !== undefined : reject !== undefined;
    const isLeftOut = (this.#rules.skipInvalid || leftOut !== undefined) && isKept;
    addFaults(this.findings, checked, isLeftOut ? faults.map(toWarning) : faults);
    if (isLeftOut && reject !== undefined) await this.#keep(reject);
  }

  #addRolloutFault(fault: RecordFault, row: ImportRow, lines: LineReader): void {
    const { errors, warnings, limits } = this.findings;
    // Located only if it will be listed.
    const isListed = (fault.severity === "error" ? errors : warnings) < limits.maxErrors;
    const found = isListed ? this.#checker.reread(row, lines) : undefined;
    const advice = fault.id === "branch-index-unique" ? "; --id-prefix tells two runs apart" : "";
    const message = `${fault.message}${advice}`;
    if (found === undefined) {
      const file = displayName(this.#files[row.input] ?? "");
      const place = { file, line: row.line, column: 1 };
      this.findings.addLocated({ ...fault, ...place, pointer: "", message });
      return;
    }
    const pointer = found.imported?.toSourcePointer(fault.pointer) ?? "";
    addFaults(this.findings, found, [{ ...fault, pointer, message }]);
  }

  async #drop(
    rows: readonly ImportRow[],
    faults: readonly BranchFault[],
    lines: LineReader,
  ): Promise<void> {
    const fileOf = ({ input }: ImportRow): string => displayName(this.#files[input] ?? "");
    const listFor = createFaultLists(faults, (branch) => {
      const row = rows[branch];
      return row && { file: fileOf(row), line: row.line };
    });
    for (const [branch, row] of rows.entries()) {
      const { ordinal, line } = row;
      const byte = this.#dropped[ordinal >> 3] ?? 0;
      this.#dropped[ordinal >> 3] = byte | (1 << (ordinal & 7));
      const { rejects } = this.#places;
      if (rejects === undefined) continue;
      const { file, stored } = lines.read(row);
      const reject = requireReject({ file, line }, listFor(branch), stored, faults.length);
      await this.#keep(reject);
    }
  }

  async #keep(reject: string): Promise<void> {
    const { rejects, prepare } = this.#places;
    await rejects?.write(prepare(Buffer.from(`${reject}\n`)));
  }
}

/** Counts of the outcomes of a log's records. */
interface ImportCounts {
  /** Number of imported branches and rollouts. */
  readonly branches: number;
  readonly rollouts: number;
  /** Number of records without a valid branch. */
  readonly invalid: number;
  /** Number of rollouts that violate a rule and of their branches. Both were omitted. */
  readonly invalidRollouts: number;
  readonly invalidBranches: number;
  /** Number of files that were not read. */
  readonly refusedFiles: number;
  /** Number of records without faults that yield no branch, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Number of steps in imported records that are not the branch's own, such as copied context. */
  readonly skippedSteps: number;
  /** The secrets that were replaced in all branches that were read. */
  readonly secrets: SecretCounts;
}
