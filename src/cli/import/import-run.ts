import { crc32 } from "node:zlib";
import type { ImportReader } from "../../capture/import/import-source.js";
import { displayName } from "../../files/source.js";
import type { StagedFile } from "../../files/staging.js";
import { type FindingLimits, FindingList } from "../../findings/finding-list.js";
import { hashText } from "../../text.js";
import { UserError } from "../../user-error.js";
import { addNoRecords } from "../../validation/check-block.js";
import type { RecordFault } from "../../validation/check-record.js";
import { checkBranches } from "../../validation/check-record.js";
import type { RuleSeverities } from "../../validation/profiles.js";
import { byOtherHash } from "../rollouts/by-other-hash.js";
import { groupPositions } from "../rollouts/group-positions.js";
import type { RowLog } from "../rollouts/row-log.js";
import { toReject } from "../rollouts/to-reject.js";
import type { BranchOutput } from "./branch-output.js";
import type { ImportCounts } from "./import-counts.js";
import type { ImportRow } from "./import-row.js";
import { type JudgedUnit, UnitJudge } from "./judge-unit.js";
import { addFaults } from "./log-findings.js";
import type { LogUnit } from "./read-units.js";
import type { UnitsAgain } from "./units-again.js";

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
  readonly judge: UnitJudge;
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
    this.judge = new UnitJudge(rules.reader, rules.severities);
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

  async #leaveOut(judged: JudgedUnit, { source }: LogUnit): Promise<void> {
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
