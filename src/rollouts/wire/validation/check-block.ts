import type { EntryTypeName } from "#generated/index.js";
import {
  type FindingLimits,
  FindingList,
  type FindingTally,
} from "../../../base/findings/finding-list.js";
import { listForeignFields } from "../../../base/json/entry-type.js";
import { blockLines, type LineBlock } from "../../../base/jsonl/blocks.js";
import type { TransferableResult } from "../../../base/jsonl/buffer-pool.js";
import { toRecordLine } from "../../../base/jsonl/reader.js";
import type { TrainerId } from "../preflight/formats/index.js";
import { BranchReader, RULED_FIELDS } from "../scan/branch-reader.js";
import { BranchRows } from "./branch-rows.js";
import { checkLine } from "./check-record.js";
import { readLostLine } from "./lost-line.js";
import type { RuleSeverities } from "./profiles.js";
import type { RuleContext } from "./rules/rule.js";
import { isBranchType } from "./structure.js";
import { type RowAid, TrainerRows, type TrainerTally } from "./trainer-rows.js";

/** Files that tell more of rows for trainers, as absolute paths. */
export interface AidFiles {
  readonly chatTemplate?: string | undefined;
  readonly tokenizer?: string | undefined;
  /** Most tokens of a row; given with a tokenizer. */
  readonly maxTokens?: number | undefined;
}

export interface CheckJob {
  /** The file as the user named it, or `<stdin>`, and its index among the inputs. */
  readonly file: string;
  readonly input: number;
  readonly block: LineBlock;
  /** The type that every line must have. Undefined: inferred from the shape of each record. */
  readonly type: EntryTypeName | undefined;
  readonly severities: RuleSeverities;
  /** What the rules know besides the records. */
  readonly context: RuleContext;
  readonly limits: FindingLimits;
  /** The trainer for which every row is. Undefined: rows for trainers are recognised. */
  readonly target?: TrainerId | undefined;
  /** The files of `RowAid`s; undefined: there are none. */
  readonly aids?: AidFiles | undefined;
}

export interface CheckedBlock extends TransferableResult {
  readonly tally: FindingTally;
  /** Index of the file among the inputs. */
  readonly input: number;
  /** Whether a line has no valid branch and may belong to any rollout. */
  readonly isUnplaced: boolean;
  /**
   * Rows of the branches, also of those whose only fault is a rank of 0, and of the lines without a valid branch that
   * name a rollout: see `branchCodec`.
   */
  readonly branches: Float64Array<ArrayBuffer>;
  readonly trainers: TrainerTally;
}

/** Runs all line checks on the lines of a block. */
export function checkBlock(
  { file, input, block, type, severities, context, limits, target }: CheckJob,
  aids?: readonly RowAid[],
): CheckedBlock {
  const findings = new FindingList(limits);
  const branches = new BranchRows(input);
  const trainers = new TrainerRows(target, severities, aids);
  const readers = createReaders(type);
  let reader = readers[0];
  let isUnplaced = false;
  for (const source of blockLines(block)) {
    const line = target === undefined ? reader.read(file, source) : toRecordLine(file, source);
    const ofTrainer = type === undefined ? trainers.check(line, source) : undefined;
    if (ofTrainer !== undefined) {
      findings.addChecked(line, ofTrainer);
      continue;
    }
    const checked = checkLine(line, type, severities, context);
    findings.addChecked(line, checked.faults);
    if (checked.factsType === undefined) {
      const { ids, isKnown } = readLostLine(line, source);
      for (const id of ids) branches.addLost(id, source);
      isUnplaced ||= !isKnown;
    } else if ("value" in line) branches.add(line.value, checked.factsType, source);
    // Lines of a file usually have the same type.
    if (checked.type !== reader.type) {
      reader = readers.find((each) => each.type === checked.type) ?? reader;
    }
  }
  return {
    tally: findings.toTally(),
    input,
    isUnplaced,
    branches: branches.toNumbers(),
    trainers: trainers.toTally(),
    buffers: block.bytes ? [block.bytes.buffer] : [],
  };
}

const EXTENT = { fields: RULED_FIELDS, events: "ruled" } as const;

/** The readers of lines that must have that type, or any type. */
function createReaders(
  type: EntryTypeName | undefined,
): readonly [BranchReader, ...(readonly BranchReader[])] {
  if (type === undefined) {
    const [ranked, unranked] = ["RolloutBranchRecord", "RolloutBranch"] as const;
    return [
      new BranchReader(ranked, EXTENT, listForeignFields(ranked)),
      new BranchReader(unranked, EXTENT, listForeignFields(unranked)),
    ];
  }
  if (isBranchType(type)) return [new BranchReader(type, EXTENT)];
  return [new BranchReader("RolloutBranchRecord", "outline")];
}
