import type { EntryTypeName } from "#generated/index.js";
import { blockLines } from "../src/records/block-lines.js";
import type { LineBlock } from "../src/records/cut-blocks.js";
import type { Moved } from "../src/records/moved.js";
import { toRecordLine } from "../src/records/to-record-line.js";
import { checkRecord } from "./check-record.js";
import { FindingList, type FindingTally } from "./finding-list.js";

export interface CheckJob {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  readonly block: LineBlock;
  /** What every line has to be; undefined: what its shape suggests. */
  readonly type: EntryTypeName | undefined;
  /** How many findings of each severity are listed. */
  readonly maxErrors: number;
}

export interface CheckedBlock extends Moved {
  readonly tally: FindingTally;
}

/** Passes the lines of a block through all checks. */
export function checkBlock({ file, block, type, maxErrors }: CheckJob): CheckedBlock {
  const findings = new FindingList({ maxErrors });
  for (const source of blockLines(block)) {
    const line = toRecordLine(file, source);
    findings.addChecked(line, checkRecord(line, type));
  }
  return { tally: findings.toTally(), buffers: block.bytes ? [block.bytes.buffer] : [] };
}
