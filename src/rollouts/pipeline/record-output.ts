import type { FileStaging, StagedFile } from "../../base/files/staging.js";
import { createEncoder, type RecordEncoder, type RecordEncoding } from "./encoders.js";
import { OutputFile, type RecordSink } from "./receiver.js";

/** Where the records of one kind go, and how they are stored. */
export interface OutputPlan {
  /** Absolute path of the file, or of the only one of several. */
  readonly path: string;
  /** Absent: JSONL. */
  readonly encoding?: RecordEncoding | undefined;
  /** Absent: all records are in one file. */
  readonly split?: OutputSplit | undefined;
}

/** How records are split into several files. */
export interface OutputSplit {
  /** Most bytes of records in a file, as JSONL. A file has at least one record. */
  readonly bytes: number;
  /** Absolute path of a file, from 0, of `count` files; 0 while their number is not known. */
  readonly toPath: (index: number, count: number) => string;
}

/** One of the files of an output. */
export interface OutputPart {
  readonly path: string;
  readonly records: number;
  /** Its size, and the hash of its bytes, once the output is finished. */
  readonly file: OutputFile;
}

const NEWLINE = 0x0a;

/** The records of one kind, written to one file, or to several. */
export class RecordOutput implements RecordSink {
  readonly #plan: OutputPlan;
  readonly #staging: FileStaging;
  readonly #hashes: boolean;
  #parts: [OpenPart, ...OpenPart[]];
  /** Files that were begun before `clear`. */
  #spare: OpenPart[] = [];

  private constructor(plan: OutputPlan, staging: FileStaging, hashes: boolean, first: OpenPart) {
    this.#plan = plan;
    this.#staging = staging;
    this.#hashes = hashes;
    this.#parts = [first];
  }

  /** Opens the first file. `hashes`: whether to hash the files. Throws UserError (exit 3) if it cannot be written. */
  static async open(
    plan: OutputPlan,
    staging: FileStaging,
    hashes: boolean,
  ): Promise<RecordOutput> {
    const first = await openPart(plan, plan.path, staging, hashes);
    return new RecordOutput(plan, staging, hashes, first);
  }

  get records(): number {
    return this.#parts.reduce((sum, { records }) => sum + records, 0);
  }

  /** The files in order. */
  get parts(): readonly OutputPart[] {
    return this.#parts;
  }

  /** Appends records, given as whole lines. Throws UserError (exit 3) if they cannot be written. */
  async write(lines: Uint8Array, records: number): Promise<void> {
    const limit = this.#plan.split?.bytes;
    if (limit === undefined) return await this.#append(lines, records);
    let start = 0;
    let count = 0;
    for (let end = 0; end < lines.length; ) {
      const next = lines.indexOf(NEWLINE, end) + 1 || lines.length;
      const filled = this.#last.size + end - start;
      if (filled > 0 && filled + next - end > limit) {
        await this.#append(lines.subarray(start, end), count);
        await this.#beginPart();
        start = end;
        count = 0;
      }
      end = next;
      count += 1;
    }
    await this.#append(lines.subarray(start), count);
  }

  /** Removes everything written so far. */
  async clear(): Promise<void> {
    await this.#last.encoder.abandon();
    for (const { file } of this.#parts) await file.clear();
    const [first, ...others] = this.#parts;
    this.#spare.unshift(...others);
    this.#parts = [await restart(this.#plan, first)];
  }

  /** Ends all files, and gives each its name, now that their number is known. */
  async finish(): Promise<void> {
    await this.#endPart();
    for (const { staged } of this.#spare) staged.omit();
    const { split } = this.#plan;
    const { length } = this.#parts;
    if (split === undefined || length === 1) return;
    for (const [index, part] of this.#parts.entries()) {
      part.path = split.toPath(index, length);
      await this.#staging.rename(part.staged, part.path);
    }
  }

  /** Requests that there be no file. Call it only if there are no records. */
  omit(): void {
    for (const { staged } of this.#parts) staged.omit();
  }

  get #last(): OpenPart {
    return this.#parts.at(-1) ?? this.#parts[0];
  }

  async #append(lines: Uint8Array, records: number): Promise<void> {
    if (lines.length === 0) return;
    const part = this.#last;
    await part.encoder.write(lines);
    part.size += lines.length;
    part.records += records;
  }

  async #beginPart(): Promise<void> {
    await this.#endPart();
    const plan = this.#plan;
    const spare = this.#spare.shift();
    const path = plan.split?.toPath(this.#parts.length, 0) ?? plan.path;
    this.#parts.push(
      spare === undefined
        ? await openPart(plan, path, this.#staging, this.#hashes)
        : await restart(plan, spare),
    );
  }

  /** Closes the file as well, so that any number can be staged. */
  async #endPart(): Promise<void> {
    await this.#last.encoder.finish();
    await this.#last.staged.finish();
  }
}

interface OpenPart {
  readonly staged: StagedFile;
  readonly file: OutputFile;
  readonly encoder: RecordEncoder;
  path: string;
  records: number;
  /** Bytes of its records as JSONL. */
  size: number;
}

async function openPart(
  plan: OutputPlan,
  path: string,
  staging: FileStaging,
  hashes: boolean,
): Promise<OpenPart> {
  const staged = await staging.open(path);
  return await startPart(plan, staged, new OutputFile(staged, hashes), path);
}

/** Begins a file that was cleared. */
async function restart(plan: OutputPlan, { staged, file, path }: OpenPart): Promise<OpenPart> {
  return await startPart(plan, staged, file, path);
}

async function startPart(
  { encoding }: OutputPlan,
  staged: StagedFile,
  file: OutputFile,
  path: string,
): Promise<OpenPart> {
  const encoder = await createEncoder(encoding, (bytes) => file.write(bytes, 0));
  return { staged, file, encoder, path, records: 0, size: 0 };
}
