import { join } from "node:path";
import { crc32 } from "node:zlib";
import { RowLog } from "../../../base/files/row-log.js";
import { ScratchFile } from "../../../base/files/scratch-file.js";
import { displayName, type InputSource } from "../../../base/files/source.js";
import {
  type LineRun,
  type LinesOutcome,
  type LinesRequest,
  runLines,
} from "../../../base/run/run-lines.js";
import { hashText, previewValue } from "../../../base/text.js";
import {
  type RedactionPlan,
  SecretCounter,
  type SecretCounts,
} from "../../capture/redact/line-redactor.js";
import type { RuleSeverities } from "../../wire/validation/profiles.js";
import { createRejectRedactor } from "../rejects.js";
import { LineReader } from "../reread.js";
import { checkRollouts, type RolloutCounts } from "./check-rollouts.js";
import { addFaults, UnitChecker } from "./check-unit.js";
import { LOG_ENTRIES } from "./documents.js";
import { FileForms, type FormChoice } from "./file-forms.js";
import type { Form } from "./forms/form.js";
import { ImportedRows } from "./imported-rows.js";
import { type BranchFile, BranchOutput } from "./output.js";
import type { ImportedBranch } from "./reader.js";
import { describeSharedTasks } from "./shared-task.js";
import { type SupplementSettings, Supplements } from "./supplements.js";
import { Tally } from "./tally.js";
import { type ImportRow, importCodec, type LogUnit, readUnits } from "./units.js";

/** Most rewards without a record that are listed. */
const MAX_UNUSED = 10;

/** Which logs are imported, and how. */
export interface LogsRequest extends Pick<LinesRequest, "files" | "skipInvalid"> {
  readonly severities: RuleSeverities;
  /** Whether the inputs are hashed. Default: false. */
  readonly hashes?: boolean;
  readonly choice: FormChoice;
  /** Default: nothing is added to branches. */
  readonly supplements?: SupplementSettings | undefined;
  /** The file of the rewards among them. */
  readonly rewardFile?: string | undefined;
  /** Undefined: secrets stay. */
  readonly redaction?: RedactionPlan | undefined;
}

interface ImportRequest extends LinesRequest, LogsRequest {
  readonly output: string;
}

/** What an import made of the logs. */
export interface ImportedLogs {
  readonly counts: ImportCounts;
  /** What the records are called. */
  readonly unit: string;
  /** The forms that were recognised, with their numbers of files. */
  readonly recognised: ReadonlyMap<Form, number>;
  /** What the readers say of the import: a label, and a text. */
  readonly notes: readonly (readonly [label: string, text: string])[];
}

export interface ImportOutcome extends ImportedLogs, LinesOutcome {}

/** Counts of the outcomes of a log's records. */
interface ImportCounts extends RolloutCounts {
  /** Number of imported branches. */
  branches: number;
  /** Number of records without a valid branch. */
  invalid: number;
  /** Number of files that were not read. */
  refusedFiles: number;
  /** Number of branches whose verdict is assumed. */
  assumed: number;
  /** Number of records without faults that yield no branch, by reason. */
  readonly leftOut: Map<string, number>;
  /** Number of steps in imported records that are not the branch's own, such as copied context. */
  skippedSteps: number;
  /** What was read otherwise than it was written, and what was not read. */
  readonly tally: Tally;
  /** The secrets that were replaced in all branches that were read. */
  secrets: SecretCounts;
}

/**
 * Imports the records of logs as branches, in order and atomically: see `runLines`. Memory grows only with the
 * longest document, not with the files.
 *
 * Throws UserError as `runLines` does.
 */
export function importFiles(request: ImportRequest, source: InputSource): Promise<ImportOutcome> {
  const { redaction } = request;
  const redactRejects = redaction && createRejectRedactor(redaction);
  return runLines({ ...request, redactRejects }, source, async (run) => {
    const file = await run.open(request.output);
    const { imported, finish } = await importLogs(run, request, file);
    return {
      result: imported,
      leftOut: run.findings.records - imported.counts.branches,
      finish: async ({ written }) => (written ? await finish() : undefined),
    };
  });
}

/** An import that has read its logs. */
interface ImportRun {
  readonly imported: ImportedLogs;
  /** Writes the rest of the branches; with `gaps`, an empty line for each that was left out. */
  finish(gaps?: boolean): Promise<void>;
  /** The records of all branches, also of those that were left out later. */
  readonly rows: ImportedRows;
}

/** Reads logs as part of a run, and writes their branches to a file. */
export async function importLogs(
  run: LineRun,
  request: LogsRequest,
  file: BranchFile,
): Promise<ImportRun> {
  const { findings } = run;
  const { files, severities, redaction, skipInvalid = false } = request;
  const log = run.closing(new RowLog(join(run.folder, "rows"), importCodec));
  // What becomes of a branch is known only after its whole rollout is read.
  const createScratch = (name: string): ScratchFile =>
    run.closing(new ScratchFile(join(run.folder, name)));
  const output = new BranchOutput(file, createScratch("read"), createScratch("changed"));
  const supplements = new Supplements(request.supplements);
  const checker = new UnitChecker(severities, supplements, redaction);
  const forms = new FileForms(request.choice, run.source, (name, fault) => {
    const severity = skipInvalid ? "warning" : "error";
    findings.addLocated({ ...fault, severity, file: displayName(name), line: 1, column: 1 });
  });
  // Rejected rollouts are kept as the lines that were read, so inputs that cannot be read again are copied.
  const copies = skipInvalid && run.rejects !== undefined;
  const blocks = run.blocks({
    files,
    copies,
    entries: LOG_ENTRIES,
    isDone: (input) => forms.isRefused(input),
    hashes: request.hashes,
  });
  const counts = createCounts();
  const secrets = new SecretCounter();
  /** By the hash of its id, the number of branches that a rollout lost. */
  const lost = new Map<number, number>();
  for await (const unit of readUnits(blocks, forms)) {
    for (const checked of checker.check(unit)) {
      const { line, imported, leftOut } = checked;
      findings.addChecked(line, []);
      if (checked.tally !== undefined) counts.tally.add(checked.tally);
      if (imported === undefined) {
        if (leftOut === undefined) {
          counts.invalid += 1;
          const { rolloutId } = checked;
          const hash = rolloutId === undefined ? undefined : hashText(rolloutId);
          if (hash !== undefined) lost.set(hash, (lost.get(hash) ?? 0) + 1);
        } else counts.leftOut.set(leftOut, (counts.leftOut.get(leftOut) ?? 0) + 1);
        const isAllowed = skipInvalid || leftOut !== undefined;
        const faults = await run.leaveOut(line, checked.faults, checked.source, isAllowed);
        addFaults(findings, checked, faults);
        continue;
      }
      addFaults(findings, checked, checked.faults);
      // Warnings beyond the limit become an error. Then nothing is written.
      if (findings.errors > 0) continue;
      const ordinal = output.branches;
      const written = output.add(imported.text);
      log.add(toRow(unit, checked.part, imported.branch, { ordinal, written }));
      counts.skippedSteps += imported.skippedSteps;
      counts.assumed += Number(imported.isAssumed);
      secrets.add(imported.secrets ?? []);
    }
  }
  counts.refusedFiles = forms.refused;
  for (const id of supplements.unused.slice(0, MAX_UNUSED)) {
    findings.addToFile(
      request.rewardFile ?? "",
      "unused-reward",
      `no record has the id ${previewValue(id)}`,
    );
  }
  const lines = run.closing(new LineReader(run.input.rereadable));
  const rows = new ImportedRows({ files, log, lines, checker, forms });
  if (findings.errors === 0) {
    await checkRollouts(run, { rows, severities, output, skipInvalid, forms, lost }, counts);
  }
  counts.secrets = secrets.counts;
  counts.branches = output.branches - counts.invalidBranches;
  return {
    imported: {
      counts,
      unit: forms.unit,
      recognised: forms.recognised,
      notes: [
        ...describeSharedTasks(counts.sharedTasks),
        ...forms.readers.flatMap((reader) => reader.summarise?.() ?? []),
      ],
    },
    rows,
    finish: (gaps) => output.finish(gaps),
  };
}

function createCounts(): ImportCounts {
  return {
    ...{ branches: 0, rollouts: 0, invalid: 0, invalidRollouts: 0, invalidBranches: 0 },
    ...{
      incompleteRollouts: 0,
      lostBranches: 0,
      refusedFiles: 0,
      assumed: 0,
      leftOut: new Map(),
      skippedSteps: 0,
      secrets: new Map(),
    },
    ...{ tally: new Tally(), sharedTasks: new Map() },
  };
}

function toRow(
  { input, source, layout }: LogUnit,
  part: number,
  { rollout_id: id, branch_index: branchIndex, task }: ImportedBranch["branch"],
  place: Pick<ImportRow, "ordinal" | "written">,
): ImportRow {
  return {
    hash: hashText(id),
    otherHash: hashText(`\0${id}`),
    input,
    offset: source.offset,
    length: source.stored.length,
    line: source.line,
    checksum: crc32(source.stored),
    branchIndex,
    task: hashText(task),
    ...place,
    layout,
    part,
    rank: undefined,
    totalScore: undefined,
  };
}
