import type { EntryTypeName } from "#generated/index.js";
import type { LineBlock } from "../../src/jsonl/blocks.js";
import { blockLines } from "../../src/jsonl/blocks.js";
import type { Moved } from "../../src/jsonl/buffer-pool.js";
import { OutlineReader } from "../../src/jsonl/outline-reader.js";
import { FindingList, type FindingTally } from "../findings/finding-list.js";
import { BranchRows } from "./branch-rows.js";
import { checkLine } from "./check-record.js";
import type { RuleSeverities } from "./profiles.js";

export interface CheckJob {
  /** The file as the user named it, or `<stdin>`, and its index among the inputs. */
  readonly file: string;
  readonly input: number;
  readonly block: LineBlock;
  /** What every line has to be; undefined: what its shape suggests. */
  readonly type: EntryTypeName | undefined;
  readonly severities: RuleSeverities;
  /** How many findings of each severity are listed. */
  readonly maxErrors: number;
}

export interface CheckedBlock extends Moved {
  readonly tally: FindingTally;
  /** Lines that hold no record, or one that is not valid in structure. */
  readonly invalid: number;
  /** Rows of all branches that are valid in structure: see `branchRows`. */
  readonly branches: Float64Array<ArrayBuffer>;
}

/** Passes the lines of a block through all checks of single lines. */
export function checkBlock({
  file,
  input,
  block,
  type,
  severities,
  maxErrors,
}: CheckJob): CheckedBlock {
  const findings = new FindingList({ maxErrors });
  const branches = new BranchRows(input);
  const reader = new OutlineReader();
  let invalid = 0;
  for (const source of blockLines(block)) {
    const line = reader.read(file, source);
    const checked = checkLine(line, type, severities);
    findings.addChecked(line, checked.faults);
    if (checked.type === undefined) invalid += 1;
    else if ("value" in line) branches.add(line.value, checked.type, source);
  }
  return {
    tally: findings.toTally(),
    invalid,
    branches: branches.toNumbers(),
    buffers: block.bytes ? [block.bytes.buffer] : [],
  };
}
