import { decodeRows } from "../../base/files/row-log.js";
import type { FindingPlace, RecordFault } from "../../base/findings/finding.js";
import {
  type FindingLimits,
  FindingList,
  relocate,
  toPartLimits,
} from "../../base/findings/finding-list.js";
import { type Rejects, requireReject } from "../../base/run/rejects.js";
import type { Boilerplate } from "../wire/decontamination/boilerplate.js";
import type { EvalIndex } from "../wire/decontamination/eval-index.js";
import type { BuiltBlock } from "./build-block.js";
import { Contamination } from "./contamination.js";
import { positionCodec } from "./positions.js";
import type { RecordOutput } from "./record-output.js";
import type { LineReader } from "./reread.js";
import { RolloutCounts } from "./rollout-counts.js";
import type { SerializedRollout, SerializedRollouts } from "./serializer.js";

/** The evaluation set that nothing may overlap that a model was given. */
export interface Gate {
  readonly index: EvalIndex;
  /** Whether rollouts that overlap it are left out, with a warning each, instead of being errors. */
  readonly drop: boolean;
}

/** Takes the tasks of valid rollouts, in order. */
export interface TaskSink {
  add(task: string): void;
  /** Forgets all tasks, which are then given again. */
  clear(): void;
}

export interface ReceiverOptions {
  readonly limits: FindingLimits;
  /** Undefined: tasks are not compared with an evaluation set. */
  readonly gate?: Gate | undefined;
  /** In the order of the builder's outputs. */
  readonly outputs: readonly Pick<RecordOutput, "write" | "clear">[];
  /** Rejected lines are written at once. Those of rejected rollouts are held until the end of the run. */
  readonly rejects?: Rejects | undefined;
  readonly tasks?: TaskSink | undefined;
  /** Converts the places of findings to those in the files from which the inputs were made. Default: they stay. */
  readonly locate?: ((place: FindingPlace) => FindingPlace) | undefined;
}

/**
 * Receives checked lines and built rollouts in order. Compares them with the evaluation set, counts them, and
 * writes them.
 */
export class OutputReceiver {
  readonly #options: ReceiverOptions;
  readonly #lineFindings: FindingList;
  #rolloutFindings: FindingList;
  #overlaps: FindingList;
  #counts = new RolloutCounts();
  #contamination: Contamination | undefined;
  #boilerplate: Boilerplate | undefined;
  /** Number of lines without a valid branch. */
  rejected = 0;
  /** Number of branches that are skipped because their run failed. */
  errored = 0;
  /** Number of rejected lines that contain an unranked branch. */
  unranked = 0;

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

  /** False once a line is invalid: a rollout that may lack a line cannot be checked. */
  get wantsRollouts(): boolean {
    return this.#lineFindings.errors === 0;
  }

  /** Number of records that were left out, or would have been. */
  get leftOut(): number {
    const { faulty, contaminated } = this.counts;
    return this.rejected + this.errored + faulty.branches + contaminated.branches;
  }

  /** Adds all findings to a list; those about rollouts only if no line is invalid. */
  addFindings(all: FindingList): void {
    const { locate } = this.#options;
    const lists = this.wantsRollouts ? [...this.#validation, this.#overlaps] : this.#validation;
    for (const list of lists) {
      all.addTally(locate ? relocate(list.toTally(), locate) : list.toTally());
    }
  }

  /** All findings except overlaps with the evaluation set. */
  validation(): FindingList {
    const all = new FindingList(this.#options.limits);
    for (const list of this.#validation) all.addTally(list.toTally());
    return all;
  }

  async checked({ tally, rejected, errored, unranked, rejects }: BuiltBlock): Promise<void> {
    this.#lineFindings.addTally(tally);
    this.rejected += rejected;
    this.errored += errored;
    this.unranked += unranked;
    await this.#options.rejects?.write(rejects);
  }

  async built(serialized: SerializedRollouts, reader: LineReader): Promise<void> {
    this.#rolloutFindings.addTally(serialized.tally);
    this.#options.rejects?.hold(serialized.rejects);
    let end = 0;
    const admitted = serialized.rollouts.map((rollout) => {
      const start = end;
      end += rollout.branches * positionCodec.width;
      return this.#admit(rollout, serialized, serialized.positions.subarray(start, end), reader);
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
    this.#options.rejects?.forget();
    this.#options.tasks?.clear();
    for (const output of this.#options.outputs) await output.clear();
  }

  /** `positions` are those of the rollout's lines. */
  #admit(
    rollout: SerializedRollout,
    { parts }: Pick<SerializedRollouts, "parts">,
    positions: Float64Array,
    reader: LineReader,
  ): boolean {
    if (rollout.build === undefined) {
      this.#counts.addFaulty(rollout);
      return false;
    }
    const lines = { positions, reader };
    const overlaps = this.#contamination?.check({ rollout, parts, lines }, this.#overlaps) ?? [];
    if (overlaps.length > 0) {
      this.#counts.addContaminated(rollout);
      this.#reject(overlaps, positions, reader);
      return false;
    }
    this.#counts.addExported(rollout, rollout.build);
    this.#options.tasks?.add(rollout.task);
    return true;
  }

  #reject(faults: readonly RecordFault[], positions: Float64Array, reader: LineReader): void {
    const { rejects } = this.#options;
    if (rejects === undefined) return;
    for (const position of decodeRows(positions, positionCodec)) {
      const { file, stored } = reader.read(position);
      rejects.hold(requireReject({ file, line: position.line }, faults, stored));
    }
  }

  get #validation(): readonly FindingList[] {
    return this.wantsRollouts ? [this.#lineFindings, this.#rolloutFindings] : [this.#lineFindings];
  }

  /** The number of warnings is known only after the lists are joined. */
  #createList(): FindingList {
    return new FindingList(toPartLimits(this.#options.limits));
  }

  #createContamination(): Contamination | undefined {
    const { gate } = this.#options;
    return (
      gate && new Contamination(gate.index, gate.drop ? "warning" : "error", this.#boilerplate)
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
      records += rollout.build?.records[output] ?? 0;
    } else {
      yield { bytes: all.subarray(start, end), records };
      start = rolloutEnd;
      records = 0;
    }
    end = rolloutEnd;
  }
  yield { bytes: all.subarray(start, end), records };
}
