import { createHash, type Hash } from "node:crypto";
import type { FileStaging, StagedFile } from "../../base/files/staging.js";
import { createEncoder, type RecordEncoder, type RecordEncoding } from "./encoders.js";

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
  /** Its size, and `sha256:` with the hash of its bytes, once the output is finished. */
  readonly bytes: number;
  readonly sha256: string;
}

const NEWLINE = 0x0a;

/** The records of one kind, written to one file, or to several. */
export class RecordOutput {
  readonly #plan: OutputPlan;
  readonly #open: (path: string) => Promise<Part>;
  readonly #staging: FileStaging;
  #parts: [Part, ...Part[]];
  /** Files that were begun before `clear`. */
  #spare: Part[] = [];

  private constructor(
    plan: OutputPlan,
    staging: FileStaging,
    open: (path: string) => Promise<Part>,
    first: Part,
  ) {
    this.#plan = plan;
    this.#staging = staging;
    this.#open = open;
    this.#parts = [first];
  }

  /**
   * Opens the first file. `hashes`: whether to hash the files, which takes as long as writing them. Throws UserError
   * (exit 3) if it cannot be written.
   */
  static async open(
    plan: OutputPlan,
    staging: FileStaging,
    hashes: boolean,
  ): Promise<RecordOutput> {
    const open = async (path: string): Promise<Part> => {
      const part = new Part(await staging.open(path), hashes);
      await part.begin(plan.encoding);
      return part;
    };
    return new RecordOutput(plan, staging, open, await open(plan.path));
  }

  get records(): number {
    return this.#parts.reduce((sum, { records }) => sum + records, 0);
  }

  /** The files in order. */
  get parts(): readonly [OutputPart, ...OutputPart[]] {
    return this.#parts;
  }

  /** Appends records, given as whole lines. Throws UserError (exit 3) if they cannot be written. */
  async write(lines: Uint8Array, records: number): Promise<void> {
    const limit = this.#plan.split?.bytes;
    if (limit === undefined) return await this.#last.write(lines, records);
    let start = 0;
    let count = 0;
    for (let end = 0; end < lines.length; ) {
      const next = lines.indexOf(NEWLINE, end) + 1 || lines.length;
      const filled = this.#last.size + end - start;
      if (filled > 0 && filled + next - end > limit) {
        await this.#last.write(lines.subarray(start, end), count);
        await this.#beginPart();
        start = end;
        count = 0;
      }
      end = next;
      count += 1;
    }
    await this.#last.write(lines.subarray(start), count);
  }

  /** Removes everything written so far. */
  async clear(): Promise<void> {
    await this.#last.abandon();
    for (const part of this.#parts) await part.clear();
    const [first, ...others] = this.#parts;
    this.#spare.unshift(...others);
    this.#parts = [first];
    await first.begin(this.#plan.encoding);
  }

  /** Ends all files, and gives each its name, now that their number is known. */
  async finish(): Promise<void> {
    await this.#last.finish();
    for (const { staged } of this.#spare) staged.omit();
    const { split } = this.#plan;
    const { length } = this.#parts;
    if (split === undefined || length === 1) return;
    for (const [index, { staged }] of this.#parts.entries()) {
      await this.#staging.rename(staged, split.toPath(index, length));
    }
  }

  /** Requests that there be no file. Call it only if there are no records. */
  omit(): void {
    for (const { staged } of this.#parts) staged.omit();
  }

  get #last(): Part {
    return this.#parts.at(-1) ?? this.#parts[0];
  }

  async #beginPart(): Promise<void> {
    await this.#last.finish();
    const plan = this.#plan;
    const spare = this.#spare.shift();
    const path = plan.split?.toPath(this.#parts.length, 0) ?? plan.path;
    this.#parts.push(spare ?? (await this.#open(path)));
    await spare?.begin(plan.encoding);
  }
}

/** A file that is being written. */
class Part implements OutputPart {
  readonly staged: StagedFile;
  readonly #hashes: boolean;
  records = 0;
  bytes = 0;
  /** Bytes of its records as JSONL. */
  size = 0;
  #hash: Hash = createHash("sha256");
  #encoder: RecordEncoder | undefined;

  constructor(staged: StagedFile, hashes: boolean) {
    this.staged = staged;
    this.#hashes = hashes;
  }

  get path(): string {
    return this.staged.path;
  }

  get sha256(): string {
    return `sha256:${this.#hash.copy().digest("hex")}`;
  }

  async begin(encoding: RecordEncoding | undefined): Promise<void> {
    this.#encoder = await createEncoder(encoding, async (bytes) => {
      await this.staged.write(bytes);
      if (this.#hashes) this.#hash.update(bytes);
      this.bytes += bytes.length;
    });
  }

  async write(lines: Uint8Array, records: number): Promise<void> {
    this.records += records;
    if (lines.length === 0) return;
    await this.#encoder?.write(lines);
    this.size += lines.length;
  }

  /** Closes the file as well, so that any number can be staged. */
  async finish(): Promise<void> {
    await this.#encoder?.finish();
    await this.staged.finish();
  }

  async abandon(): Promise<void> {
    await this.#encoder?.abandon();
  }

  /** Removes everything written so far. */
  async clear(): Promise<void> {
    await this.staged.clear();
    this.#hash = createHash("sha256");
    this.records = 0;
    this.bytes = 0;
    this.size = 0;
  }
}
