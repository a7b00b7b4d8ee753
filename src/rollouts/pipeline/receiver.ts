import { createHash, type Hash } from "node:crypto";
import { decodeRows } from "../../base/files/row-log.js";
import type { ScratchFile } from "../../base/files/scratch-file.js";
import type { StagedFile } from "../../base/files/staging.js";
import type { RecordFault } from "../../base/findings/finding.js";
import { type FindingLimits, FindingList, toPartLimits } from "../../base/findings/finding-list.js";
import { requireReject } from "../../base/run/rejects.js";
import type { Boilerplate } from "../wire/decontamination/boilerplate.js";
import type { EvalIndex } from "../wire/decontamination/eval-index.js";
import type { BuiltBlock } from "./build-block.js";
import { Contamination } from "./contamination.js";
import type { RolloutReceiver } from "./pipeline.js";
import { positionCodec } from "./positions.js";
import type { LineReader } from "./reread.js";
import { RolloutCounts } from "./rollout-counts.js";
import type { SerializedRollout, SerializedRollouts } from "./serializer.js";

export interface Rejects {
  readonly lines: StagedFile;
  readonly rollouts: ScratchFile;
  /** Prepares whole lines for the file. */
  readonly prepare: (lines: Uint8Array) => Uint8Array;
}

/** Takes the records of one output. */
export interface RecordSink {
  /** Appends records, given as whole lines. Their memory may be used again afterwards. */
  write(lines: Uint8Array, records: number): Promise<void>;
  /** Removes everything written so far. */
  clear(): Promise<void>;
}

export interface ReceiverOptions {
  readonly limits: FindingLimits;
  /** Undefined: tasks are not compared with an evaluation set. */
  readonly index: EvalIndex | undefined;
  /** Whether contaminated rollouts are omitted instead of being errors. */
  readonly dropContaminated: boolean;
  /** In the order of the builder's outputs. */
  readonly outputs: readonly RecordSink[];
  /** Rejected lines are written at once. Those of rejected rollouts are buffered until the end of the run. */
  readonly rejects: Rejects | undefined;
}

/**
 * Receives checked lines and built rollouts in order. Compares them with the evaluation set, counts them, and
 * writes them.
 */
export class OutputReceiver implements RolloutReceiver {
  readonly #options: ReceiverOptions;
  readonly #lineFindings: FindingList;
  #rolloutFindings: FindingList;
  #overlaps: FindingList;
  #counts = new RolloutCounts();
  #contamination: Contamination | undefined;
  #boilerplate: Boilerplate | undefined;
  #rejected = 0;
  #unranked = 0;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#lineFindings = this.#createList();
    this.#rolloutFindings = this.#createList();
    this.#overlaps = this.#createList();
    this.#contamination = this.#createContamination();
  }

  /** Counts of rollouts by outcome; zeros if a line is invalid. */
  get counts(): RolloutCounts {
    return this.wantsRollouts ? this.#counts : new RolloutCounts();
  }

  /** Undefined without an evaluation set, and if a line is invalid. */
  get contamination(): Contamination | undefined {
    return this.wantsRollouts ? this.#contamination : undefined;
  }

  get lineLimits(): FindingLimits {
    return this.#lineFindings.partLimits;
  }

  /** Number of lines checked. */
  get lines(): number {
    return this.#lineFindings.records;
  }

  /** Number of lines without a valid branch. */
  get rejected(): number {
    return this.#rejected;
  }

  /** Number of rejected lines that contain an unranked branch. */
  get unranked(): number {
    return this.#unranked;
  }

  /** False once a line is invalid: a rollout that may lack a line cannot be checked. */
  get wantsRollouts(): boolean {
    return this.#lineFindings.errors === 0;
  }

  /** All findings; those about rollouts only if no line is invalid. */
  findings(): FindingList {
    const all = this.validation();
    if (this.wantsRollouts) all.addTally(this.#overlaps.toTally());
    return all;
  }

  /** All findings except overlaps with the evaluation set. */
  validation(): FindingList {
    const all = new FindingList(this.#options.limits);
    all.addTally(this.#lineFindings.toTally());
    if (this.wantsRollouts) all.addTally(this.#rolloutFindings.toTally());
    return all;
  }

  async checked({ tally, rejected, unranked, rejects }: BuiltBlock): Promise<void> {
    this.#lineFindings.addTally(tally);
    this.#rejected += rejected;
    this.#unranked += unranked;
    const file = this.#options.rejects;
    await file?.lines.write(file.prepare(rejects));
  }

  async built(serialized: SerializedRollouts, reader: LineReader): Promise<void> {
    this.#rolloutFindings.addTally(serialized.tally);
    const { rejects } = this.#options;
    rejects?.rollouts.write(rejects.prepare(serialized.rejects));
    let end = 0;
    const admitted = serialized.rollouts.map((rollout) => {
      const start = end;
      end += rollout.branches * positionCodec.width;
      return this.#admit(rollout, serialized.positions.subarray(start, end), reader);
    });
    if (this.#rolloutFindings.errors > 0 || this.#overlaps.errors > 0) return;
    for (const [index, output] of this.#options.outputs.entries()) {
      for (const { bytes, records } of admittedParts(serialized, admitted, index)) {
        await output.write(bytes, records);
      }
    }
  }

  /**
   * Call once all rollouts were received. Returns whether they must be received again, after `restart`, because only now
   * it is known which text is boilerplate. The second time, it is known from the start.
   */
  settle(): boolean {
    this.#boilerplate = this.contamination?.settle();
    return this.#boilerplate !== undefined;
  }

  async restart(): Promise<void> {
    this.#rolloutFindings = this.#createList();
    this.#overlaps = this.#createList();
    this.#counts = new RolloutCounts();
    this.#contamination = this.#createContamination();
    this.#options.rejects?.rollouts.clear();
    for (const output of this.#options.outputs) await output.clear();
  }

  /** `positions` are those of the rollout's lines. */
  #admit(rollout: SerializedRollout, positions: Float64Array, reader: LineReader): boolean {
    if (rollout.faulty) {
      this.#counts.addFaulty(rollout);
      return false;
    }
    const overlaps = this.#contamination?.check(rollout, this.#overlaps, reader) ?? [];
    if (overlaps.length > 0) {
      this.#counts.addContaminated(rollout);
      this.#reject(overlaps, positions, reader);
      return false;
    }
    this.#counts.addExported(rollout);
    return true;
  }

  #reject(faults: readonly RecordFault[], positions: Float64Array, reader: LineReader): void {
    const { rejects } = this.#options;
    if (rejects === undefined) return;
    for (const position of decodeRows(positions, positionCodec)) {
      const { file, stored } = reader.read(position);
      const reject = requireReject({ file, line: position.line }, faults, stored);
      rejects.rollouts.write(rejects.prepare(Buffer.from(`${reject}\n`)));
    }
  }

  /** The number of warnings is known only after the lists are joined. */
  #createList(): FindingList {
    return new FindingList(toPartLimits(this.#options.limits));
  }

  #createContamination(): Contamination | undefined {
    const { index, dropContaminated } = this.#options;
    return (
      index && new Contamination(index, dropContaminated ? "warning" : "error", this.#boilerplate)
    );
  }
}

/** Yields the bytes of the admitted rollouts for one output, in as few pieces as possible. */
function* admittedParts(
  { rollouts, outputs }: SerializedRollouts,
  admitted: readonly boolean[],
  output: number,
): Generator<{ readonly bytes: Uint8Array; readonly records: number }> {
  const all = outputs[output] ?? new Uint8Array();
  let start = 0;
  let end = 0;
  let records = 0;
  for (const [index, rollout] of rollouts.entries()) {
    const rolloutEnd = rollout.ends[output] ?? end;
    if (admitted[index] === true) {
      records += rollout.records[output] ?? 0;
    } else {
      yield { bytes: all.subarray(start, end), records };
      start = rolloutEnd;
      records = 0;
    }
    end = rolloutEnd;
  }
  yield { bytes: all.subarray(start, end), records };
}

/** An output file that is being written. */
export class OutputFile implements RecordSink {
  readonly #file: StagedFile;
  #hash: Hash = createHash("sha256");
  readonly #hashes: boolean;
  #records = 0;
  #bytes = 0;

  /** `hashes`: whether to hash the content, which takes as long as writing it. */
  constructor(file: StagedFile, hashes: boolean) {
    this.#file = file;
    this.#hashes = hashes;
  }

  get records(): number {
    return this.#records;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `sha256:` and the hexadecimal hash of everything written. */
  hash(): string {
    return `sha256:${this.#hash.copy().digest("hex")}`;
  }

  /** Appends `records` lines. Throws UserError (exit 3) if the file cannot be written. */
  async write(bytes: Uint8Array, records: number): Promise<void> {
    if (bytes.length > 0) await this.#file.write(bytes);
    if (this.#hashes) this.#hash.update(bytes);
    this.#records += records;
    this.#bytes += bytes.length;
  }

  /** Cancels the file. */
  omit(): void {
    this.#file.omit();
  }

  /** Removes everything written so far. */
  async clear(): Promise<void> {
    await this.#file.clear();
    this.#hash = createHash("sha256");
    this.#records = 0;
    this.#bytes = 0;
  }
}
