import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type FindingLimits, FindingList } from "../../../conformance/findings/finding-list.js";
import { addNoRecords } from "../../../conformance/validation/add-no-records.js";
import type { RecordFault } from "../../../conformance/validation/check-record.js";
import { checkBranches } from "../../../conformance/validation/check-rollout.js";
import type { RuleSeverities } from "../../../conformance/validation/profiles.js";
import type { ImportReader } from "../../capture/import/import-source.js";
import { createTempFolder } from "../../records/create-temp-folder.js";
import { hashText } from "../../records/hash-text.js";
import { displayName, type InputSource } from "../../records/input-source.js";
import { type StagedFile, stageFiles } from "../../records/stage-files.js";
import { UserError } from "../../user-error.js";
import { fileBlocks } from "../parallel/file-blocks.js";
import type { Progress } from "../progress.js";
import { byOtherHash } from "../rollouts/by-other-hash.js";
import { groupPositions } from "../rollouts/group-positions.js";
import { InputCopies } from "../rollouts/input-copies.js";
import { RowLog } from "../rollouts/row-log.js";
import { ScratchFile } from "../rollouts/scratch-file.js";
import { toReject } from "../rollouts/to-reject.js";
import { BranchOutput } from "./branch-output.js";
import type { ImportCounts } from "./import-counts.js";
import { type ImportRow, importRows } from "./import-row.js";
import { type JudgedUnit, UnitJudge } from "./judge-unit.js";
import { addFaults } from "./log-findings.js";
import { type LogUnit, readUnits } from "./read-units.js";
import { findRereadable, UnitsAgain } from "./units-again.js";

export interface ImportRequest {
  /** Input files, `-` for standard input. */
  readonly files: readonly string[];
  readonly reader: ImportReader;
  /** Whether a file may be one JSON document of several lines. */
  readonly documents: boolean;
  /** Absolute path. */
  readonly output: string;
  /** Absolute path for what is left out; undefined: it is not kept. */
  readonly rejects: string | undefined;
  readonly limits: FindingLimits;
  readonly severities: RuleSeverities;
  /** Leave out what is invalid, with a warning, instead of writing nothing. */
  readonly skipInvalid: boolean;
  readonly progress: Progress;
}

/** What was read, and what came of it. */
export interface ImportOutcome {
  readonly findings: FindingList;
  readonly counts: ImportCounts;
  /** Whether the output is in place; not so when an error forbade it. */
  readonly written: boolean;
}

/**
 * Imports the records of logs as branches, in their order; all or nothing is written: see `stageFiles`.
 * Memory does not grow with the files, but by a document that is one record.
 *
 * Throws UserError (exit 3) for a file that cannot be read or written.
 */
export async function importFiles(
  request: ImportRequest,
  source: InputSource,
): Promise<ImportOutcome> {
  const folder = createTempFolder();
  const staging = stageFiles();
  const log = new RowLog(join(folder.path, "rows"), importRows);
  const scratch = request.skipInvalid ? new ScratchFile(join(folder.path, "branches")) : undefined;
  try {
    const output = new BranchOutput(await staging.open(request.output), scratch);
    const rejects = request.rejects && (await staging.open(request.rejects));
    const run = new ImportRun(request, { output, rejects: rejects || undefined, log });
    const files = run.refuseFiles();
    const copies = new InputCopies(files, source, folder.path);
    // What cannot be read again is copied only for the rejects.
    const inputs = rejects ? copies.inputs : await findRereadable(files, source);
    const onStored = (_input: number, chunk: Uint8Array): void =>
      request.progress.read(chunk.length, run.findings.records);
    const blocks = fileBlocks(files, source, { onStored });
    for await (const unit of readUnits(rejects ? copies.pass(blocks) : blocks, request.documents)) {
      await run.take(unit);
    }
    const again = new UnitsAgain(inputs, run.judge);
    try {
      await run.judgeRollouts(again, folder.path);
    } finally {
      again.close();
    }
    const written = await run.finish();
    if (written) await staging.commit();
    return { findings: run.findings, counts: run.counts(), written };
  } finally {
    scratch?.close();
    log.close();
    await staging.close().finally(() => folder.remove());
  }
}

interface ImportPlaces {
  readonly output: BranchOutput;
  readonly rejects: StagedFile | undefined;
  readonly log: RowLog<ImportRow>;
}

class ImportRun {
  readonly findings: FindingList;
  readonly judge: UnitJudge;
  readonly #request: ImportRequest;
  readonly #places: ImportPlaces;
  #files: readonly string[] = [];
  readonly #leftOut = new Map<string, number>();
  /** Ordinals of branches whose rollouts are invalid, a bit each. */
  #dropped = new Uint8Array();
  #refusedFiles = 0;
  #invalid = 0;
  #rollouts = 0;
  #invalidRollouts = 0;
  #invalidBranches = 0;
  #skippedSteps = 0;

  constructor(request: ImportRequest, places: ImportPlaces) {
    this.#request = request;
    this.#places = places;
    this.findings = new FindingList(request.limits);
    this.judge = new UnitJudge(request.reader, request.severities);
  }

  /** The files that are to be read. */
  refuseFiles(): readonly string[] {
    const { files, reader, skipInvalid } = this.#request;
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
    const judged = this.judge.judge(unit);
    const { imported, leftOut } = judged;
    if (imported === undefined) {
      if (leftOut === undefined) this.#invalid += 1;
      else this.#leftOut.set(leftOut, (this.#leftOut.get(leftOut) ?? 0) + 1);
      return await this.#leaveOut(judged, unit);
    }
    this.findings.addChecked(judged.line, []);
    addFaults(this.findings, judged, judged.faults);
    // Too many warnings are errors: then nothing is written.
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
    await this.#places.output.add(imported.text);
  }

  /** Holds the rollouts against the rules, wherever their branches stand; not when there were errors. */
  async judgeRollouts(again: UnitsAgain, folder: string): Promise<void> {
    if (this.findings.errors > 0) return;
    const { severities, skipInvalid } = this.#request;
    this.#dropped = new Uint8Array(Math.ceil(this.#places.output.branches / 8));
    for (const sameHash of groupPositions(this.#places.log, folder)) {
      for (const rows of byOtherHash(sameHash)) {
        const faults = checkBranches(rows, severities);
        const isInvalid = faults.some(({ severity }) => severity === "error");
        for (const { branch, ...fault } of faults) {
          const row = rows[branch];
          if (row === undefined) continue;
          const severity = skipInvalid ? "warning" : fault.severity;
          this.#addRolloutFault({ ...fault, severity }, row, again);
        }
        if (!isInvalid || !skipInvalid) {
          this.#rollouts += 1;
          continue;
        }
        this.#invalidRollouts += 1;
        this.#invalidBranches += rows.length;
        for (const row of rows) await this.#drop(row, faults, again);
      }
    }
  }

  /** Completes the output; whether it may come into place. */
  async finish(): Promise<boolean> {
    const { findings } = this;
    const { files } = this.#request;
    if (findings.errors === 0) {
      const imported = this.#places.output.branches - this.#invalidBranches;
      addNoRecords(findings, files, findings.records - imported);
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
    };
  }

  async #leaveOut(judged: JudgedUnit, { source }: LogUnit): Promise<void> {
    const { line, faults, leftOut } = judged;
    const { rejects, skipInvalid } = this.#request;
    this.findings.addChecked(line, []);
    const wants = rejects !== undefined && source.bytes !== undefined;
    const reject = wants ? toReject(line, faults, source.stored) : undefined;
    // What cannot be kept is not left out in silence.
    const isKept = rejects === undefined ? source.bytes !== undefined : reject !== undefined;
    const isLeftOut = (skipInvalid || leftOut !== undefined) && isKept;
    addFaults(this.findings, judged, isLeftOut ? faults.map(toWarning) : faults);
    if (isLeftOut && reject !== undefined) await this.#places.rejects?.write(`${reject}\n`);
  }

  #addRolloutFault(fault: RecordFault, row: ImportRow, again: UnitsAgain): void {
    const { errors, warnings, limits } = this.findings;
    // Its place is looked up only when it is going to be listed.
    const isListed = (fault.severity === "error" ? errors : warnings) < limits.maxErrors;
    const found = isListed ? again.find(row) : undefined;
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

  async #drop(row: ImportRow, faults: readonly RecordFault[], again: UnitsAgain): Promise<void> {
    const { ordinal } = row;
    const byte = this.#dropped[ordinal >> 3] ?? 0;
    this.#dropped[ordinal >> 3] = byte | (1 << (ordinal & 7));
    const { rejects } = this.#places;
    if (rejects === undefined) return;
    const { file, stored } = again.read(row);
    const reject = toReject({ file, line: row.line }, faults, stored);
    if (reject === undefined) {
      throw new UserError(`${file}:${row.line}: too long to be kept among the rejects`);
    }
    await rejects.write(`${reject}\n`);
  }
}

function toWarning(fault: RecordFault): RecordFault {
  return { ...fault, severity: "warning" };
}
