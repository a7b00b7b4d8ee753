import type { RolloutBranch } from "#generated/index.js";
import { encodeRows } from "../../base/files/row-log.js";
import { FindingList, type FindingTally } from "../../base/findings/finding-list.js";
import { catchStringLimit, type JsonPiece, RecordPrinter } from "../../base/jsonl/printer.js";
import { toReject, toWarning } from "../../base/run/rejects.js";
import { collectGiven, type GivenPart } from "../wire/decontamination/given-texts.js";
import { type BranchFault, checkRollout } from "../wire/validation/check-record.js";
import type { BuiltOutput, RolloutBuild, RolloutBuilder, RolloutPlan } from "./builder.js";
import { type LinePosition, positionCodec, type Range, rangeOf } from "./positions.js";
import { createFaultLists } from "./rejects.js";
import type { BranchLine } from "./reread.js";

const INITIAL_BYTES = 2 ** 16;
const NEWLINE = Uint8Array.of(0x0a);

/** Concatenates lines in UTF-8 in a growing buffer. */
export class ByteSink {
  #buffer: Buffer<ArrayBuffer>;
  #length = 0;

  /** `memory` is the initial buffer. */
  constructor(memory: ArrayBuffer = new ArrayBuffer(INITIAL_BYTES)) {
    this.#buffer = Buffer.from(memory);
  }

  /** Number of bytes written. */
  get length(): number {
    return this.#length;
  }

  /** Appends a line, given in pieces without line breaks, and a newline. */
  writeLine(pieces: readonly JsonPiece[]): void {
    for (const piece of pieces) {
      if (typeof piece === "string") this.#writeText(piece);
      else this.#writeBytes(piece);
    }
    this.#writeBytes(NEWLINE);
  }

  /** Returns everything written. Do not use the sink afterwards. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer.buffer, 0, this.#length);
  }

  #writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #writeText(text: string): void {
    // A UTF-16 code unit takes at most three bytes, so the exact length is computed only if that might not fit.
    if (this.#length + 3 * text.length > this.#buffer.length)
      this.#reserve(Buffer.byteLength(text));
    this.#length += this.#buffer.write(text, this.#length);
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, 2 * this.#buffer.length)));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** The outcome of one rollout, and the location of its records in the serialized bytes. */
export interface SerializedRollout {
  readonly id: string;
  readonly task: string;
  /** What else its models were given: indices among the parts, and the first of its branches that has each. */
  readonly given: readonly { readonly part: number; readonly branch: number }[];
  readonly file: string;
  /** Its first line. */
  readonly position: LinePosition;
  readonly branches: number;
  /** Lowest and highest sampling temperature of the branches. */
  readonly temperatures: Range;
  /** Per output, the end offset of its bytes. They begin where those of the previous rollout end. */
  readonly ends: readonly number[];
  /** Undefined if it violates a rule and therefore has no records. */
  readonly build: SerializedBuild | undefined;
}

export interface SerializedBuild extends Omit<RolloutBuild, "outputs"> {
  /** Number of records per output. */
  readonly records: readonly number[];
  /** Per output, why it gets no record although it takes one per rollout. */
  readonly omitted: readonly (string | undefined)[];
}

/** Serialized rollouts in order, ready to be written. */
export interface SerializedRollouts {
  readonly rollouts: readonly SerializedRollout[];
  /** What models were given besides tasks, equal parts once. Empty unless it is compared. */
  readonly parts: readonly GivenPart[];
  /** JSONL per output. */
  readonly outputs: readonly Uint8Array<ArrayBuffer>[];
  /** Findings about rollouts. Its line count is zero. */
  readonly tally: FindingTally;
  /** The lines of faulty rollouts if they are kept. */
  readonly rejects: Uint8Array<ArrayBuffer>;
  /** Rows of the positions of their lines, rollout by rollout, in input order. */
  readonly positions: Float64Array<ArrayBuffer>;
}

/** The fault of a rollout with a record that is too long to be written. */
const TOO_LONG: BranchFault = {
  branch: 0,
  id: "record-length",
  severity: "error",
  pointer: "",
  message: "makes a record that exceeds the maximum string length: cannot be exported",
};

/** Builds rollouts and serializes their records. */
export class RolloutSerializer {
  readonly #builder: RolloutBuilder;
  readonly #plan: RolloutPlan;
  readonly #findings: FindingList;
  readonly #rollouts: SerializedRollout[] = [];
  readonly #printer: RecordPrinter;
  readonly #sinks: readonly ByteSink[];
  readonly #rejects = new ByteSink();
  readonly #positions: LinePosition[] = [];
  readonly #parts = new Map<string, { readonly index: number; readonly part: GivenPart }>();

  /** Takes output buffers from `spare`. */
  constructor(builder: RolloutBuilder, plan: RolloutPlan, spare: ArrayBuffer[] = []) {
    this.#builder = builder;
    this.#plan = plan;
    this.#findings = new FindingList(plan);
    this.#printer = new RecordPrinter(builder.reader);
    this.#sinks = builder.outputs.map(() => new ByteSink(spare.pop()));
  }

  /** Adds a rollout: its branches in input order, at least one. `lost` others were left out as invalid. */
  add(lines: readonly BranchLine[], lost = 0): void {
    const first = lines[0];
    if (first === undefined) throw new RangeError("a rollout has at least one branch");
    const branches = lines.map(({ branch }) => branch);
    const { type } = this.#builder;
    const faults = [
      ...checkRollout(branches, type, this.#plan.severities),
      ...this.#builder.checkRollout(branches),
    ];
    const build = faults.some(isError) ? undefined : this.#build(branches, lost, faults);
    if (build === undefined) this.#reject(lines, faults);
    else this.#report(lines, faults);
    this.#rollouts.push({
      id: first.branch.rollout_id,
      task: first.branch.task,
      given: this.#plan.isGated === true ? this.#toGiven(branches) : [],
      file: first.record.file,
      position: first.position,
      branches: lines.length,
      temperatures: rangeOf(lines.map(({ branch }) => branch.temperature)),
      ends: this.#sinks.map(({ length }) => length),
      build: build && summarise(build),
    });
    for (const { position } of lines) this.#positions.push(position);
  }

  /** Returns everything serialized. Do not use the serializer afterwards. */
  take(): SerializedRollouts {
    return {
      rollouts: this.#rollouts,
      parts: [...this.#parts.values()].map(({ part }) => part),
      outputs: this.#sinks.map((sink) => sink.toBytes()),
      tally: this.#findings.toTally(),
      rejects: this.#rejects.toBytes(),
      positions: encodeRows(this.#positions, positionCodec),
    };
  }

  #toGiven(branches: readonly RolloutBranch[]): SerializedRollout["given"] {
    return collectGiven(branches).map(({ part, branch }) => {
      const known = this.#parts.get(part.key) ?? { index: this.#parts.size, part };
      this.#parts.set(part.key, known);
      return { part: known.index, branch };
    });
  }

  /** Undefined if a record is too long, which adds a fault. */
  #build(
    branches: readonly RolloutBranch[],
    lost: number,
    faults: BranchFault[],
  ): RolloutBuild | undefined {
    const build = this.#builder.build(branches, lost);
    if (this.#write(build.outputs)) return build;
    faults.push(TOO_LONG);
    return undefined;
  }

  /** Returns false if a record is too long. Bytes already written for this rollout are then left unused. */
  #write(outputs: readonly BuiltOutput[]): boolean {
    for (const [index, { records }] of outputs.entries()) {
      for (const record of records) {
        // Not `toJsonl`: an exportable record that was parsed from JSON contains no value that JSON cannot
        // represent.
        const pieces = catchStringLimit(() => this.#printer.print(record));
        if (pieces === undefined) return false;
        this.#sinks[index]?.writeLine(pieces);
      }
    }
    return true;
  }

  #reject(lines: readonly BranchLine[], faults: readonly BranchFault[]): void {
    const rejects = this.#plan.skipInvalid ? leaveOut(lines, faults, this.#plan) : undefined;
    this.#report(lines, rejects ? faults.map(toWarning) : faults);
    for (const reject of rejects ?? []) this.#rejects.writeLine([reject]);
  }

  #report(lines: readonly BranchLine[], faults: readonly BranchFault[]): void {
    for (const { branch, ...fault } of faults) {
      const line = lines[branch];
      if (line !== undefined) this.#findings.add(line.record, [fault]);
    }
  }
}

/** Creates the lines for the rejects file; undefined if one of them cannot be kept. */
function leaveOut(
  lines: readonly BranchLine[],
  faults: readonly BranchFault[],
  { keepRejects }: RolloutPlan,
): readonly string[] | undefined {
  if (!keepRejects) return [];
  const rejects: string[] = [];
  const listFor = createFaultLists(faults, (branch) => lines[branch]?.record);
  for (const [branch, { record, stored }] of lines.entries()) {
    const reject = toReject(record, listFor(branch), stored, faults.length);
    if (reject === undefined) return undefined;
    rejects.push(reject);
  }
  return rejects;
}

function isError({ severity }: BranchFault): boolean {
  return severity === "error";
}

function summarise({ outputs, ...build }: RolloutBuild): SerializedBuild {
  const records = outputs.map((output) => output.records.length);
  return { ...build, records, omitted: outputs.map(({ omitted }) => omitted) };
}
