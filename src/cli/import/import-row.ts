import type { BranchFacts } from "../../../conformance/rules/rule.js";
import type { LinePosition } from "../rollouts/line-position.js";
import type { RowCodec } from "../rollouts/row-log.js";

/** A branch that was imported: what rules over its rollout have to know, and where its record stands. */
export interface ImportRow extends LinePosition, BranchFacts {
  /** Another hash of its rollout_id: two ids may share one by accident. */
  readonly otherHash: number;
  /** A hash. */
  readonly task: number;
  /** Among the branches that were imported, from 0. */
  readonly ordinal: number;
  readonly isDocument: boolean;
}

/** Rows as numbers, eleven to a row. */
export const importRows: RowCodec<ImportRow> = {
  width: 11,
  toNumbers: (row) => [
    row.hash,
    row.input,
    row.offset,
    row.length,
    row.line,
    row.checksum,
    row.otherHash,
    row.branchIndex,
    row.task,
    row.ordinal,
    Number(row.isDocument),
  ],
  fromNumbers: (numbers, at) => ({
    hash: numbers[at] ?? 0,
    input: numbers[at + 1] ?? 0,
    offset: numbers[at + 2] ?? 0,
    length: numbers[at + 3] ?? 0,
    line: numbers[at + 4] ?? 0,
    checksum: numbers[at + 5] ?? 0,
    otherHash: numbers[at + 6] ?? 0,
    branchIndex: numbers[at + 7] ?? 0,
    task: numbers[at + 8] ?? 0,
    ordinal: numbers[at + 9] ?? 0,
    isDocument: numbers[at + 10] === 1,
    rank: undefined,
    totalScore: undefined,
  }),
};
