import type { EntryTypeName } from "#generated/index.js";
import { blockLines } from "../src/records/block-lines.js";
import type { LineBlock } from "../src/records/cut-blocks.js";
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

/** Passes the lines of a block through all checks. */
export function checkBlock({ file, block, type, maxErrors }: CheckJob): FindingTally {
  const findings = new FindingList({ maxErrors });
  for (const source of blockLines(block)) {
    const line = toRecordLine(file, source);
    findings.addChecked(line, checkRecord(line, type));
  }
  return findings.toTally();
}
