import { crc32 } from "node:zlib";
import type { EntryTypeName, RolloutBranch } from "#generated/index.js";
import { decodeRows, encodeRows } from "../../base/files/row-log.js";
import type { RecordFault } from "../../base/findings/finding.js";
import {
  type FindingLimits,
  FindingList,
  type FindingTally,
} from "../../base/findings/finding-list.js";
import { inferEntryType } from "../../base/json/entry-type.js";
import { findUnexportable } from "../../base/json/unexportable.js";
import { isJsonObject, measureValue, type ValueMeasure } from "../../base/json/value.js";
import { blockLines, type LineBlock } from "../../base/jsonl/blocks.js";
import type { TransferableResult } from "../../base/jsonl/buffer-pool.js";
import type { RereadableInput } from "../../base/jsonl/file-blocks.js";
import type { RecordLine } from "../../base/jsonl/reader.js";
import { toWarning, tryReject } from "../../base/run/rejects.js";
import { hashText, previewValue } from "../../base/text.js";
import { checkLine, checkRecordRules, checkSemantics } from "../wire/validation/check-record.js";
import { readLostLine } from "../wire/validation/lost-line.js";
import type { RuleSeverities } from "../wire/validation/profiles.js";
import { RANK_IS_ZERO, zeroBasedRanks } from "../wire/validation/rules/zero-based-ranks.js";
import { type RolloutBuilder, type RolloutPlan, weightsOf } from "./builder.js";
import { adjacentGroups, groupById } from "./groups.js";
import { type LinePosition, positionCodec } from "./positions.js";
import { type BranchLine, LineReader, parseStored, type StoredLine } from "./reread.js";
import { ByteSink, RolloutSerializer, type SerializedRollouts } from "./serializer.js";

export interface BlockJob {
  readonly plan: RolloutPlan;
  /** The file as the user named it, or `<stdin>`, and its index among the inputs. */
  readonly file: string;
  readonly input: number;
  readonly block: LineBlock;
  /** For the findings about lines. */
  readonly limits: FindingLimits;
  /** Whether to build the rollouts too, or only check the lines. */
  readonly build: boolean;
  /** Buffers for the outputs; they are transferred. */
  readonly spare?: readonly ArrayBuffer[];
}

export interface BuiltBlock extends TransferableResult {
  readonly tally: FindingTally;
  /** Number of lines without a valid branch. */
  readonly rejected: number;
  /** Number of branches that are skipped because their run failed. */
  readonly errored: number;
  /** Number of rejected lines that contain an unranked branch where ranked branches are expected. */
  readonly unranked: number;
  /** The rejected lines, if they are kept. */
  readonly rejects: Uint8Array<ArrayBuffer>;
  /** Rows of the positions of all branches of known rollouts, in order. */
  readonly positions: Float64Array<ArrayBuffer>;
  /**
   * The first rollout of the block, and the last unless it is the first: neighbouring blocks may contain more
   * of their branches. Empty if nothing was to be built.
   */
  readonly head: readonly StoredLine[];
  readonly tail: readonly StoredLine[];
  /** The rollouts between them. */
  readonly serialized: SerializedRollouts;
}

/** Checks the lines of a block, and builds the rollouts whose branches are adjacent in it. */
export function buildBlock(
  { plan, file, input, block, limits, build, spare: given = [] }: BlockJob,
  builder: RolloutBuilder,
): BuiltBlock {
  const findings = new FindingList(limits);
  const rejects = new ByteSink();
  const spare = [...given];
  const serializer = new RolloutSerializer(builder, plan, spare);
  const positions: LinePosition[] = [];
  let head: StoredLine[] | undefined;
  // Adjacent branches with the same hash. Grouped by hash, not by id, because a reappearing rollout is detected
  // by its hash. Grouped by id, two rollouts with the same hash could alternate unnoticed.
  let run: BranchLine[] = [];
  let lost: LinePosition[] = [];
  let [rejected, errored] = [0, 0];
  let unranked = 0;

  const toLines = (): StoredLine[] => [
    ...run.map(toStored),
    ...lost.map((position) => ({ file, position, stored: new Uint8Array() })),
  ];
  const begin = (hash: number): void => {
    const latest = run[0]?.position ?? lost[0];
    if (latest === undefined || latest.hash === hash) return;
    // Built at once, so that only one rollout is held in memory.
    if (head === undefined) head = toLines();
    else for (const rollout of groupById(run)) serializer.add(rollout, lost.length);
    run = [];
    lost = [];
  };

  for (const source of blockLines(block)) {
    const record = builder.reader.read(file, source);
    const branch = "value" in record ? builder.read(record) : undefined;
    const found = findFaults(record, branch, builder, plan);
    const valid = found.every(({ severity }) => severity !== "error");
    const failure = plan.skipErrored && valid ? findRunError(record) : undefined;
    const faults = failure === undefined ? found : [...found, failure];
    if (branch !== undefined && "value" in record && valid && failure === undefined) {
      findings.addChecked(record, faults);
      const { offset, line, column, stored } = source;
      const hash = hashText(branch.rollout_id);
      const { length } = stored;
      const position = { hash, input, offset, length, line, checksum: crc32(stored), column };
      positions.push(position);
      if (!build) continue;
      begin(hash);
      run.push({ branch, record, position, stored });
      continue;
    }
    if (failure === undefined) rejected += 1;
    else errored += 1;
    if (isUnranked(record, builder)) unranked += 1;
    const isSkipped = plan.skipInvalid || failure !== undefined;
    const reject = isSkipped ? tryReject(record, faults, source, plan.keepRejects) : undefined;
    findings.addChecked(record, reject === undefined ? faults : faults.map(toWarning));
    if (reject) rejects.writeLine([reject]);
    const { offset, line } = source;
    for (const id of reject === undefined ? [] : readLostLine(record, source).ids) {
      const position = { hash: hashText(id), input, offset, length: 0, line, checksum: 0 };
      positions.push(position);
      if (!build) continue;
      begin(position.hash);
      lost.push(position);
    }
  }

  const last = toLines();
  const serialized = serializer.take();
  return {
    tally: findings.toTally(),
    rejected,
    errored,
    unranked,
    rejects: rejects.toBytes(),
    positions: encodeRows(positions, positionCodec),
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

function findFaults(
  line: RecordLine,
  branch: RolloutBranch | undefined,
  builder: RolloutBuilder,
  { severities, builder: plan }: RolloutPlan,
): readonly RecordFault[] {
  const context = { weights: weightsOf(plan) };
  if (branch === undefined || !("value" in line)) {
    const { faults, type, factsType } = checkLine(line, builder.type, severities, context);
    const isZeroRanked = type === undefined && factsType !== undefined;
    return isZeroRanked ? [...faults, ...explainRank(severities)] : faults;
  }
  // A line that follows all line rules can be exported: it has neither excessive nesting nor numbers out of
  // range.
  if (line.followsLineRules)
    return checkRecordRules(line.ruled ?? line.value, builder.type, severities, context);
  const measure = measureValue(line.value);
  return [
    ...checkSemantics({ ...line, measure }, builder.type, severities, context),
    ...checkExportable(branch, measure),
  ];
}

/** What `validate` says of a whole rollout, which is not known here. */
function explainRank(severities: RuleSeverities): readonly RecordFault[] {
  const { id } = zeroBasedRanks;
  const severity = severities[id];
  if (severity === "off") return [];
  return [{ id, severity, pointer: "/rank", message: RANK_IS_ZERO, cause: "" }];
}

/** The field in which the fork runner says why a branch has no answer. */
export const RUN_ERROR = "branch_error";

/** Why a branch is one of a failed run, by its `RUN_ERROR`; undefined if it is not. */
export function findRunError(line: RecordLine): RecordFault | undefined {
  const error = "value" in line ? line.value[RUN_ERROR] : undefined;
  if (!isJsonObject(error)) return undefined;
  const message = `the run failed: ${previewValue(error.kind)}, ${previewValue(error.message)}`;
  return { id: "errored", severity: "error", pointer: `/${RUN_ERROR}`, message };
}

/** Tells whether a line contains a branch that is valid except for its missing ranks. */
function isUnranked(line: RecordLine, { type }: { readonly type: EntryTypeName }): boolean {
  const meant: EntryTypeName = "RolloutBranch";
  return type !== meant && "value" in line && inferEntryType(line.value) === meant;
}

/** A copy that outlives the block's memory. */
function toStored({ record: { file }, position, stored }: BranchLine): StoredLine {
  return { file, position, stored: Uint8Array.from(stored) };
}

export interface ScatteredJob {
  readonly plan: RolloutPlan;
  /** The inputs that the positions refer to, by index. */
  readonly inputs: ReadonlyMap<number, RereadableInput>;
  /** Rows of positions: those with the same hash are adjacent, in input order. */
  readonly positions: Float64Array<ArrayBuffer>;
  /** Buffers for the outputs; they are transferred. */
  readonly spare?: readonly ArrayBuffer[];
}

export interface BuiltScattered extends SerializedRollouts, TransferableResult {}

/**
 * Rereads the lines of rollouts and builds them. Throws UserError (exit 3) if an input cannot be read or has
 * changed.
 */
export function buildScattered(
  { plan, inputs, positions, spare: given = [] }: ScatteredJob,
  builder: RolloutBuilder,
): BuiltScattered {
  const spare = [...given];
  const serializer = new RolloutSerializer(builder, plan, spare);
  const reader = new LineReader(inputs);
  try {
    for (const group of adjacentGroups(decodeRows(positions, positionCodec))) {
      const stored = group.map((position) => reader.read(position));
      const { branches, lost } = parseStored(stored, builder);
      for (const rollout of groupById(branches)) serializer.add(rollout, lost);
    }
  } finally {
    reader.close();
  }
  const serialized = serializer.take();
  return { ...serialized, buffers: [...serialized.outputs.map(({ buffer }) => buffer), ...spare] };
}

/** Finds faults that keep a valid branch from being exported, such as a number out of range. */
export function checkExportable(branch: object, measure: ValueMeasure): readonly RecordFault[] {
  const unexportable = findUnexportable(branch, measure);
  return unexportable === undefined ? [] : [{ ...unexportable, severity: "error" }];
}
