import { join } from "node:path";
import type { InputSource } from "../../files/source.js";
import { type FileStaging, stageFiles } from "../../files/staging.js";
import { createTempFolder } from "../../files/temp.js";
import type { FindingList } from "../../findings/finding-list.js";
import { fileBlocks } from "../parallel/file-blocks.js";
import type { Progress } from "../progress.js";
import { InputCopies } from "../rollouts/input-copies.js";
import { RowLog } from "../rollouts/row-log.js";
import { ScratchFile } from "../rollouts/scratch-file.js";
import { BranchOutput } from "./branch-output.js";
import type { ImportCounts } from "./import-counts.js";
import { importRows } from "./import-row.js";
import { type ImportPlaces, type ImportRules, ImportRun } from "./import-run.js";
import { readUnits } from "./read-units.js";
import { findRereadable, UnitsAgain } from "./units-again.js";

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
