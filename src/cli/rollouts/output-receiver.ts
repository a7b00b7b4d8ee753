import type { EvalIndex } from "../../decontamination/create-eval-index.js";
import type { StagedFile } from "../../files/staging.js";
import { type FindingLimits, FindingList, toPartLimits } from "../../findings/finding-list.js";
import { UserError } from "../../user-error.js";
import type { RecordFault } from "../../validation/check-record.js";
import { Contamination } from "./contamination.js";
import { POSITION_WIDTH, toPositions } from "./line-position.js";
import type { LineReader } from "./line-reader.js";
import type { OutputFile } from "./output-file.js";
import type { ProcessedBlock } from "./process-block.js";
import type { RolloutsReceiver } from "./process-rollouts.js";
import { RolloutCounts } from "./rollout-counts.js";
import type { PackedRollout, PackedRollouts } from "./rollout-packer.js";
import type { ScratchFile } from "./scratch-file.js";
import { toReject } from "./to-reject.js";

export interface Rejects {
  readonly lines: StagedFile;
  readonly rollouts: ScratchFile;
}

export interface ReceiverOptions {
  readonly limits: FindingLimits;
  /** Undefined: the tasks are not compared with an evaluation set. */
  readonly index: EvalIndex | undefined;
  /** Whether contaminated rollouts are left out, instead of being errors. */
  readonly dropContaminated: boolean;
  /** In the order of the builder's outputs. */
  readonly outputs: readonly OutputFile[];
  /** Where rejected lines go, and for the time being those of rejected rollouts. */
  readonly rejects: Rejects | undefined;
}

/** Writes what comes of the rollouts, counts everything, and holds it against the evaluation set. */
export class OutputReceiver implements RolloutsReceiver {
  readonly #options: ReceiverOptions;
  readonly #lineFindings: FindingList;
  #rolloutFindings: FindingList;
  #overlaps: FindingList;
  #counts = new RolloutCounts();
  #contamination: Contamination | undefined;
  #rejected = 0;
  #unranked = 0;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#lineFindings = this.#createList();
    this.#rolloutFindings = this.#createList();
    this.#overlaps = this.#createList();
    this.#contamination = this.#createContamination();
  }

  /** What became of the rollouts; nothing when invalid lines made them useless. */
  get counts(): RolloutCounts {
    return this.wantsRollouts ? this.#counts : new RolloutCounts();
  }

  /** Undefined without an evaluation set, and when invalid lines made the rollouts useless. */
  get contamination(): Contamination | undefined {
    return this.wantsRollouts ? this.#contamination : undefined;
  }

  /** Lines that were checked. */
  get lines(): number {
    return this.#lineFindings.records;
  }

  /** Lines that are no valid branch. */
  get rejected(): number {
    return this.#rejected;
  }

  /** Those of them that are branches which nobody ranked yet. */
  get unranked(): number {
    return this.#unranked;
  }

  /** A rollout that lacks a line cannot be judged: mend the lines first. */
  get wantsRollouts(): boolean {
    return this.#lineFindings.errors === 0;
  }

  /** All that was found, of rollouts only when the lines are without error. */
  findings(): FindingList {
    const all = this.validation();
    if (this.wantsRollouts) all.addTally(this.#overlaps.toTally());
    return all;
  }

  /** The same without the overlaps with the evaluation set. */
  validation(): FindingList {
    const all = new FindingList(this.#options.limits);
    all.addTally(this.#lineFindings.toTally());
    if (this.wantsRollouts) all.addTally(this.#rolloutFindings.toTally());
    return all;
  }

  async checked({ tally, rejected, unranked, rejects }: ProcessedBlock): Promise<void> {
    this.#lineFindings.addTally(tally);
    this.#rejected += rejected;
    this.#unranked += unranked;
    await this.#options.rejects?.lines.write(rejects);
  }

  async built(packed: PackedRollouts, reader: LineReader): Promise<void> {
    this.#rolloutFindings.addTally(packed.tally);
    this.#options.rejects?.rollouts.write(packed.rejects);
    let end = 0;
    const admitted = packed.rollouts.map((rollout) => {
      const start = end;
      end += rollout.branches * POSITION_WIDTH;
      return this.#admit(rollout, packed.positions.subarray(start, end), reader);
    });
    if (this.#rolloutFindings.errors > 0 || this.#overlaps.errors > 0) return;
    for (const [index, output] of this.#options.outputs.entries()) {
      for (const { bytes, records } of admittedParts(packed, admitted, index)) {
        await output.write(bytes, records);
      }
    }
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
  #admit(rollout: PackedRollout, positions: Float64Array, reader: LineReader): boolean {
    if (rollout.faulty) {
      this.#counts.addFaulty(rollout);
      return false;
    }
    const overlaps = this.#contamination?.judge(rollout, this.#overlaps, reader) ?? [];
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
    for (const position of toPositions(positions)) {
      const { file, stored } = reader.read(position);
      const reject = toReject({ file, line: position.line }, faults, stored);
      if (reject === undefined) {
        throw new UserError(`${file}:${position.line}: too long to be kept among the rejects`);
      }
      rejects.rollouts.write(Buffer.from(`${reject}\n`));
    }
  }

  /** Only when the lists are joined it shows how many warnings there are. */
  #createList(): FindingList {
    return new FindingList(toPartLimits(this.#options.limits));
  }

  #createContamination(): Contamination | undefined {
    const { index, dropContaminated } = this.#options;
    return index && new Contamination(index, dropContaminated ? "warning" : "error");
  }
}

/** The bytes of the admitted rollouts for one output, in as few pieces as possible. */
function* admittedParts(
  { rollouts, outputs }: PackedRollouts,
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
