import { dirname, join, resolve } from "node:path";
import { requirePlainName, resolveOutputs } from "../files/outputs.js";
import { ScratchFile } from "../files/scratch-file.js";
import { displayName, type InputSource } from "../files/source.js";
import { type FileStaging, type StagedFile, withStaging } from "../files/staging.js";
import { createTempFolder, type TempFolder } from "../files/temp.js";
import type { RecordFault } from "../findings/finding.js";
import { type FindingLimits, FindingList } from "../findings/finding-list.js";
import type { SourceLine } from "../jsonl/blocks.js";
import {
  type FileBlock,
  FileBlocks,
  type FileBlocksOptions,
  type ReadInput,
} from "../jsonl/file-blocks.js";
import type { RecordLine } from "../jsonl/reader.js";
import { type Progress, SILENT } from "./progress.js";
import { Rejects, toWarning, tryReject } from "./rejects.js";

/** What every run over the lines of files takes. */
export interface LinesRequest {
  /** Input files, `-` for standard input. */
  readonly files: readonly string[];
  /** Other files that no output may replace. */
  readonly keeps?: readonly string[] | undefined;
  readonly limits: FindingLimits;
  /** Leave out invalid lines and rollouts, with a warning each, instead of writing nothing. Default false. */
  readonly skipInvalid?: boolean | undefined;
  /** File for the lines that are left out, as the user named it. Undefined: they are not kept. */
  readonly rejects?: string | undefined;
  /** Redacts whole lines of that file. Undefined: secrets stay. */
  readonly redactRejects?: ((lines: Uint8Array) => Uint8Array) | undefined;
  /** Whether it is no error that there are no records, or no valid ones. Default false. */
  readonly mayBeEmpty?: boolean | undefined;
  /** Minimum size of a block, except the last of a file. */
  readonly blockBytes?: number | undefined;
  /** Starts to show progress once the first file is to be read. Undefined: the run is silent. */
  readonly startProgress?: (files: readonly string[]) => Promise<Progress>;
  /** Why a file is not one that this run reads, which is an error of that file. Default: every file is read. */
  readonly refuseFile?: ((file: string) => Promise<string | undefined>) | undefined;
  /** Called with a line for people if the outputs of a killed run were completed. */
  readonly onRecovered?: (line: string) => void;
}

/** What every run gives. */
export interface LinesOutcome {
  readonly findings: FindingList;
  readonly inputs: readonly ReadInput[];
  /** Whether there are no errors, so that the outputs are in place. */
  readonly written: boolean;
}

/** What the work on the lines gives. */
export interface Worked<Result> {
  readonly result: Result;
  /** Number of records that were left out. Default 0. */
  readonly leftOut?: number;
  /** Completes the outputs before they are committed. Those of a run with errors were discarded before. */
  readonly finish?: (outcome: LinesOutcome) => Promise<void>;
}

/**
 * Runs over the lines of files: `work` reads them, adds its findings to the run's, and writes staged files. These are put
 * in place together if there is no error, and none of them otherwise. A run without records is an error, too. Leaves no
 * temporary files behind.
 *
 * Throws UserError: exit 2 if an output cannot be written or is also an input, exit 3 if a file cannot be read or written.
 */
export async function runLines<Result>(
  request: LinesRequest,
  source: InputSource,
  work: (run: LineRun) => Promise<Worked<Result>>,
): Promise<Result & LinesOutcome> {
  return await withStaging(request, async (staging) => {
    const run = new LineRun(request, source, staging);
    try {
      const { result, leftOut, finish } = await work(run);
      const { findings, input } = run;
      if (findings.errors === 0 && request.mayBeEmpty !== true) {
        findings.addNoRecords(request.files, leftOut);
      }
      const outcome = { findings, inputs: input.inputs, written: findings.errors === 0 };
      if (outcome.written) await run.rejects?.release();
      else await staging.discard();
      await finish?.(outcome);
      await staging.commit();
      return { ...result, ...outcome };
    } finally {
      run.close();
    }
  });
}

interface BlocksOptions
  extends Pick<
    FileBlocksOptions,
    "documents" | "memory" | "hashes" | "isDone" | "entries" | "keepsNulls"
  > {
  /** Default: the files of the request. */
  readonly files?: readonly string[];
  /** Whether inputs that cannot be read again are copied. */
  readonly copies?: boolean;
  /** Returns the number of lines that were checked so far. Default: the records of the run's findings. */
  readonly countLines?: () => number;
  /** Whether the files are a part of what the progress shows. Default: true. */
  readonly isShown?: boolean;
}

interface LockOptions {
  readonly inputs?: readonly string[];
  readonly isStored?: boolean;
}

/** A run over the lines of files: its inputs, its outputs, and what it finds. */
export class LineRun {
  readonly source: InputSource;
  readonly staging: FileStaging;
  readonly findings: FindingList;
  /** Set by `blocks`. */
  input: Pick<FileBlocks, "inputs" | "rereadable"> = { inputs: [], rereadable: new Map() };
  progress = SILENT;
  /** Where lines that are left out are kept. Set by `lock`, unless they are not. */
  rejects: Rejects | undefined;
  readonly #request: LinesRequest;
  readonly #resources: { close(): void }[] = [];
  #folder: TempFolder | undefined;

  constructor(request: LinesRequest, source: InputSource, staging: FileStaging) {
    this.#request = request;
    this.source = source;
    this.staging = staging;
    this.findings = new FindingList(request.limits);
  }

  /** A temporary folder, removed at the end. */
  get folder(): string {
    this.#folder ??= createTempFolder();
    return this.#folder.path;
  }

  /** Registers a resource to be closed at the end of the run, and returns it. */
  closing<Resource extends { close(): void }>(resource: Resource): Resource {
    this.#resources.push(resource);
    return resource;
  }

  /**
   * Locks outputs, before any work is done, creates their folders, and opens the file for rejects. Returns their absolute
   * paths. None of `inputs`, by default all, may be among them, and no name may promise another form than plain text, unless
   * `isStored` says that the form is that of the name. Throws as `runLines` does.
   */
  async lock(
    names: readonly string[],
    { inputs = this.#request.files, isStored = false }: LockOptions = {},
  ): Promise<string[]> {
    const { rejects, redactRejects, keeps = [] } = this.#request;
    const all = rejects === undefined ? names : [...names, rejects];
    if (!isStored) all.forEach(requirePlainName);
    this.staging.makeFolders(all.map((name) => dirname(resolve(this.source.cwd, name))));
    const paths = await resolveOutputs(all, [...inputs, ...keeps], this.source.cwd);
    await this.staging.reserve(paths);
    const rejectsPath = paths[names.length];
    if (rejectsPath !== undefined) {
      const file = await this.staging.open(rejectsPath);
      const held = this.closing(new ScratchFile(join(this.folder, "rejects")));
      this.rejects = new Rejects(file, held, redactRejects);
    }
    return paths.slice(0, names.length);
  }

  /** Locks and opens the only output. Throws as `runLines` does. */
  async open(name: string): Promise<StagedFile> {
    const [path = name] = await this.lock([name]);
    return await this.staging.open(path);
  }

  /** Yields the blocks of the files, and shows the progress. */
  blocks({
    files = this.#request.files,
    copies = false,
    countLines = () => this.findings.records,
    isShown = true,
    ...options
  }: BlocksOptions = {}): AsyncGenerator<FileBlock> {
    const refused = new Set<number>();
    const { isDone = () => false } = options;
    const input = new FileBlocks(files, this.source, {
      ...options,
      isDone: (index) => refused.has(index) || isDone(index),
      blockBytes: this.#request.blockBytes,
      copies: copies ? this.folder : undefined,
      onStored: isShown ? (_, chunk) => this.progress.read(chunk.length, countLines()) : undefined,
    });
    this.input = input;
    return isShown ? this.#show(input.read(), files, refused) : input.read();
  }

  /**
   * Leaves a line out, if invalid lines may be, or `isAllowed`. Returns its faults: as warnings if it was left out. If it
   * was to be kept among the rejects and cannot be, they stay errors: no record is left out silently.
   */
  async leaveOut(
    line: RecordLine,
    faults: readonly RecordFault[],
    stored: SourceLine,
    isAllowed: boolean = this.#request.skipInvalid === true,
  ): Promise<readonly RecordFault[]> {
    const reject = isAllowed ? tryReject(line, faults, stored, this.rejects) : undefined;
    if (reject === undefined) return faults;
    if (reject !== "") await this.rejects?.write(reject);
    return faults.map(toWarning);
  }

  close(): void {
    this.progress.stop();
    for (const resource of this.#resources) resource.close();
    this.#folder?.remove();
  }

  async *#show(
    blocks: AsyncGenerator<FileBlock>,
    read: readonly string[],
    refused: Set<number>,
  ): AsyncGenerator<FileBlock> {
    const { files, startProgress, refuseFile } = this.#request;
    for (const [index, file] of refuseFile === undefined ? [] : read.entries()) {
      const why = await refuseFile?.(file);
      if (why === undefined) continue;
      refused.add(index);
      this.findings.addToFile(displayName(file), "log-file", why);
    }
    if (startProgress !== undefined) this.progress = await startProgress(files);
    yield* blocks;
  }
}
