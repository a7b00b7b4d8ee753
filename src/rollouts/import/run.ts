import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Progress } from "../../cli/progress.js";
import { displayName, type InputSource } from "../../files/source.js";
import { type FileStaging, type StagedFile, stageFiles } from "../../files/staging.js";
import { createTempFolder } from "../../files/temp.js";
import type { RecordFault } from "../../findings/finding.js";
import { type FindingLimits, FindingList } from "../../findings/finding-list.js";
import type { ImportReader } from "../../import/source.js";
import { hashText } from "../../text.js";
import { UserError } from "../../user-error.js";
import { addNoRecords } from "../../validation/check-block.js";
import { checkBranches } from "../../validation/check-record.js";
import type { RuleSeverities } from "../../validation/profiles.js";
import { fileBlocks, InputCopies } from "../file-blocks.js";
import { groupPositions, splitCollisions } from "../groups.js";
import { RowLog } from "../positions.js";
import { ScratchFile, toReject } from "../rejects.js";
import {
  addFaults,
  type CheckedUnit,
  findRereadable,
  UnitChecker,
  UnitsAgain,
} from "./check-unit.js";
import { BranchOutput } from "./output.js";
import { type ImportRow, importRows, type LogUnit, readUnits } from "./units.js";

export interface ImportRequest extends ImportRules {
  /** Input files, `-` for standard input. */
  readonly files: readonly string[];
  /** Whether a file may be one JSON document of several lines. */
  readonly documents: boolean;
  /** Absolute path. */
  readonly output: string;
  /** Absolute path for what is left out; undefined: it is not kept. */
  readonly rejects: string | undefined;
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
  try {
    return await importStaged(request, source, staging, folder.path);
  } finally {
    await staging.close().finally(() => folder.remove());
  }
}

async function importStaged(
  request: ImportRequest,
  source: InputSource,
  staging: FileStaging,
  folder: string,
): Promise<ImportOutcome> {
  const file = await staging.open(request.output);
  const rejects = request.rejects === undefined ? undefined : await staging.open(request.rejects);
  const log = new RowLog(join(folder, "rows"), importRows);
  try {
    // Whether a branch stays is known when all of its rollout are read.
    const scratch = request.skipInvalid ? new ScratchFile(join(folder, "branches")) : undefined;
    try {
      const output = new BranchOutput(file, scratch);
      return await importInto({ output, rejects, log }, request, source, staging, folder);
    } finally {
      scratch?.close();
    }
  } finally {
    log.close();
  }
}

async function importInto(
  places: ImportPlaces,
  request: ImportRequest,
  source: InputSource,
  staging: FileStaging,
  folder: string,
): Promise<ImportOutcome> {
  const { documents, progress, skipInvalid } = request;
  const run = new ImportRun(request, places);
  const files = run.refuseFiles(request.files);
  const onStored = (_input: number, chunk: Uint8Array): void =>
    progress.read(chunk.length, run.findings.records);
  const blocks = fileBlocks(files, source, { onStored });
  const copies = new InputCopies(files, source, folder);
  // Rollouts are kept as rejects by their lines as they were read: what cannot be read again is copied.
  const keepsRollouts = skipInvalid && places.rejects !== undefined;
  const inputs = keepsRollouts ? copies.inputs : await findRereadable(files, source);
  for await (const unit of readUnits(keepsRollouts ? copies.pass(blocks) : blocks, documents)) {
    await run.take(unit);
  }
  const again = new UnitsAgain(inputs, run.judge);
  try {
    await run.judgeRollouts(again, folder);
  } finally {
    again.close();
  }
  const written = await run.finish(request.files);
  if (written) await staging.commit();
  return { findings: run.findings, counts: run.counts(), written };
}

/** What an import is to do with the records. */
export interface ImportRules {
  readonly reader: ImportReader;
  readonly limits: FindingLimits;
  readonly severities: RuleSeverities;
  /** Leave out what is invalid, with a warning, instead of writing nothing. */
  readonly skipInvalid: boolean;
}

/** Where what is imported goes. */
export interface ImportPlaces {
  readonly output: BranchOutput;
  readonly rejects: StagedFile | undefined;
  readonly log: RowLog<ImportRow>;
}

/** Takes the records of logs one by one, and counts everything. */
export class ImportRun {
  readonly findings: FindingList;
  readonly judge: UnitChecker;
  readonly #rules: ImportRules;
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

  constructor(rules: ImportRules, places: ImportPlaces) {
    this.#rules = rules;
    this.#places = places;
    this.findings = new FindingList(rules.limits);
    this.judge = new UnitChecker(rules.reader, rules.severities);
  }

  /** Gives those of the files that are to be read. */
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

  /** Completes the output; whether it may come into place. `files` are all that were named. */
  async finish(files: readonly string[]): Promise<boolean> {
    const { findings } = this;
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

  async #leaveOut(judged: CheckedUnit, { source }: LogUnit): Promise<void> {
    const { line, faults, leftOut } = judged;
    const { rejects } = this.#places;
    this.findings.addChecked(line, []);
    const wants = rejects !== undefined && source.bytes !== undefined;
    const reject = wants ? toReject(line, faults, source.stored) : undefined;
    // What cannot be kept is not left out in silence.
    const isKept = rejects === undefined ? source.bytes !== undefined : reject !== undefined;
    const isLeftOut = (this.#rules.skipInvalid || leftOut !== undefined) && isKept;
    addFaults(this.findings, judged, isLeftOut ? faults.map(toWarning) : faults);
    if (isLeftOut && reject !== undefined) await rejects?.write(`${reject}\n`);
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

/** What became of the records of a log. */
export interface ImportCounts {
  /** Branches and rollouts that were imported. */
  readonly branches: number;
  readonly rollouts: number;
  /** Records that are no valid branch. */
  readonly invalid: number;
  /** Rollouts that break a rule, which were left out with their branches. */
  readonly invalidRollouts: number;
  readonly invalidBranches: number;
  /** Files that nothing was imported of. */
  readonly refusedFiles: number;
  /** Records that hold no branch, though nothing is wrong with them, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Steps of imported branches that are not their own. */
  readonly skippedSteps: number;
}
