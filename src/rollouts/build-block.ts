import { crc32 } from "node:zlib";
import type { EntryTypeName, RolloutBranch } from "#generated/index.js";
import { findUnexportable, MAX_NESTING } from "../export/unexportable.js";
import type { RecordFault } from "../findings/finding.js";
import { FindingList, type FindingTally } from "../findings/finding-list.js";
import { measureValue, type ValueMeasure } from "../json/value.js";
import { blockLines, type LineBlock, type SourceLine } from "../jsonl/blocks.js";
import type { TransferableResult } from "../jsonl/buffer-pool.js";
import type { RecordLine } from "../jsonl/reader.js";
import { hashText } from "../text.js";
import { checkRecord, checkRecordRules, checkSemantics } from "../validation/check-record.js";
import { inferEntryType } from "../validation/structure.js";
import type { RolloutBuilder } from "./builder.js";
import { type RolloutPlan, withBuilder } from "./builders.js";
import { adjacentGroups, groupById } from "./groups.js";
import { type LinePosition, toPositions, toRows } from "./positions.js";
import { toReject } from "./rejects.js";
import {
  type BranchLine,
  LineReader,
  parseStored,
  type RereadableInput,
  type StoredLine,
} from "./reread.js";
import { ByteSink, RolloutSerializer, type SerializedRollouts } from "./serializer.js";

export interface BlockJob {
  readonly plan: RolloutPlan;
  /** The file as the user named it, or `<stdin>`, and its index among the inputs. */
  readonly file: string;
  readonly input: number;
  readonly block: LineBlock;
  /** Whether to build the rollouts too, or only to check the lines. */
  readonly build: boolean;
  /** Memory for what is built; it moves. */
  readonly spare?: readonly ArrayBuffer[];
}

export interface BuiltBlock extends TransferableResult {
  readonly tally: FindingTally;
  /** Lines that are no valid branch. */
  readonly rejected: number;
  /** Those of them that have the shape of another branch type than the one asked for. */
  readonly unranked: number;
  /** Those lines, if they are kept. */
  readonly rejects: Uint8Array<ArrayBuffer>;
  /** Rows of the positions of all valid branches, in order. */
  readonly positions: Float64Array<ArrayBuffer>;
  /**
   * The branches whose ids have the first hash, and, unless it is the only one, the last: more of them
   * may stand in the neighbouring blocks. Empty when nothing was to be built.
   */
  readonly head: readonly StoredLine[];
  readonly tail: readonly StoredLine[];
  /** The rollouts between them. */
  readonly serialized: SerializedRollouts;
}

/** Checks the lines of a block, and builds the rollouts whose branches stand in it next to each other. */
export function buildBlock(job: BlockJob): BuiltBlock {
  return withBuilder(job.plan.builder, (builder) => processBlockWith(builder, job));
}

function processBlockWith<Branch extends RolloutBranch>(
  builder: RolloutBuilder<Branch>,
  { plan, file, input, block, build, spare: given = [] }: BlockJob,
): BuiltBlock {
  const findings = new FindingList(plan);
  const rejects = new ByteSink();
  const spare = [...given];
  const serializer = new RolloutSerializer(builder, plan, spare);
  const positions: LinePosition[] = [];
  let head: StoredLine[] | undefined;
  // Branches that stand next to each other and have one hash. By the hash and not by the id, since by
  // that it is told whether a rollout comes back: of two ids with one hash nobody would notice it.
  let run: BranchLine<Branch>[] = [];
  let rejected = 0;
  let unranked = 0;

  for (const source of blockLines(block)) {
    const record = builder.reader.read(file, source);
    const branch = "value" in record ? builder.read(record.value) : undefined;
    const faults = findFaults(record, branch, builder, plan);
    const valid = faults.every(({ severity }) => severity !== "error");
    if (branch !== undefined && "value" in record && valid) {
      findings.addChecked(record, faults);
      const { offset, line, stored } = source;
      const hash = hashText(branch.rollout_id);
      const { length } = stored;
      const position = { hash, input, offset, length, line, checksum: crc32(stored) };
      positions.push(position);
      if (!build) continue;
      if (run[0] !== undefined && run[0].position.hash !== hash) {
        // Built at once, so that no more than a rollout has to be kept.
        if (head === undefined) head = run.map(toStored);
        else for (const rollout of groupById(run)) serializer.add(rollout);
        run = [];
      }
      run.push({ branch, record, position, stored });
      continue;
    }
    rejected += 1;
    if (isUnranked(record, builder)) unranked += 1;
    const reject = plan.skipInvalid ? keep(record, faults, source) : undefined;
    findings.addChecked(record, reject === undefined ? faults : faults.map(toWarning));
    if (reject !== undefined) rejects.writeLine([reject]);
  }

  const last = run.map(toStored);
  const serialized = serializer.take();
  return {
    tally: findings.toTally(),
    rejected,
    unranked,
    rejects: rejects.toBytes(),
    positions: toRows(positions),
    head: head ?? last,
    tail: head === undefined ? [] : last,
    serialized,
    buffers: [
      ...(block.bytes ? [block.bytes.buffer] : []),
      ...serialized.outputs.map(({ buffer }) => buffer),
      ...spare,
    ],
  };
}

function findFaults<Branch extends RolloutBranch>(
  line: RecordLine,
  branch: Branch | undefined,
  builder: RolloutBuilder<Branch>,
  { severities }: RolloutPlan,
): readonly RecordFault[] {
  if (branch === undefined || !("value" in line))
    return checkRecord(line, builder.type, severities);
  // Nor is anything of such a line nested too deeply to be exported, or a number too large.
  if (line.followsLineRules) return checkRecordRules(line.value, builder.type, severities);
  const measure = measureValue(line.value);
  return [
    ...checkSemantics({ ...line, measure }, builder.type, severities),
    ...checkExportable(branch, measure),
  ];
}

/** The line for the rejects; undefined for one that is too long to be held, or to be kept. */
function keep(
  line: RecordLine,
  faults: readonly RecordFault[],
  { bytes, stored }: SourceLine,
): string | undefined {
  return bytes && toReject(line, faults, stored);
}

function toWarning(fault: RecordFault): RecordFault {
  return { ...fault, severity: "warning" };
}

/** Whether a line holds a branch that is only not ranked yet. */
function isUnranked(line: RecordLine, { type }: { readonly type: EntryTypeName }): boolean {
  const meant: EntryTypeName = "RolloutBranch";
  return type !== meant && "value" in line && inferEntryType(line.value) === meant;
}

/** A copy with memory of its own, which outlives the block. */
function toStored<Branch extends RolloutBranch>({
  record: { file },
  position,
  stored,
}: BranchLine<Branch>): StoredLine {
  return { file, position, stored: Uint8Array.from(stored) };
}

export interface ScatteredJob {
  readonly plan: RolloutPlan;
  /** The inputs that the positions speak of, by their index. */
  readonly inputs: ReadonlyMap<number, RereadableInput>;
  /** Rows of positions; those with the same hash stand next to each other, in the order of the input. */
  readonly positions: Float64Array<ArrayBuffer>;
  /** Memory for what is built; it moves. */
  readonly spare?: readonly ArrayBuffer[];
}

export interface BuiltScattered extends SerializedRollouts, TransferableResult {}

/**
 * Reads the lines of rollouts again and builds them. Throws UserError (exit 3) when an input cannot be
 * read, or holds other lines than before.
 */
export function buildScattered(job: ScatteredJob): BuiltScattered {
  return withBuilder(job.plan.builder, (builder) => processGroupsWith(builder, job));
}

function processGroupsWith<Branch extends RolloutBranch>(
  builder: RolloutBuilder<Branch>,
  { plan, inputs, positions, spare: given = [] }: ScatteredJob,
): BuiltScattered {
  const spare = [...given];
  const serializer = new RolloutSerializer(builder, plan, spare);
  const reader = new LineReader(inputs);
  try {
    for (const group of adjacentGroups(toPositions(positions))) {
      const stored = group.map((position) => reader.read(position));
      for (const rollout of groupById(parseStored(stored, builder))) serializer.add(rollout);
    }
  } finally {
    reader.close();
  }
  const serialized = serializer.take();
  return { ...serialized, buffers: [...serialized.outputs.map(({ buffer }) => buffer), ...spare] };
}

/** Why no output could carry a branch to its reader, though it is valid; none when one can. */
export function checkExportable(
  branch: object,
  { depth, largest }: ValueMeasure,
): readonly RecordFault[] {
  if (depth <= MAX_NESTING && Number.isFinite(largest)) return [];
  const unexportable = findUnexportable(branch);
  return unexportable === undefined ? [] : [{ ...unexportable, severity: "error" }];
}
