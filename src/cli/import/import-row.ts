import type { BranchFacts } from "../../validation/rules/rule.js";
import {
  type LinePosition,
  POSITION_WIDTH,
  positionAt,
  toRows,
} from "../rollouts/line-position.js";
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

/** Rows as numbers: the position, then the rest. */
export const importRows: RowCodec<ImportRow> = {
  width: POSITION_WIDTH + 5,
  toNumbers: (row) => [
    ...toRows([row]),
    row.otherHash,
    row.branchIndex,
    row.task,
    row.ordinal,
    Number(row.isDocument),
  ],
  fromNumbers: (numbers, at) => ({
    ...positionAt(numbers, at),
    otherHash: numbers[at + POSITION_WIDTH] ?? 0,
    branchIndex: numbers[at + POSITION_WIDTH + 1] ?? 0,
    task: numbers[at + POSITION_WIDTH + 2] ?? 0,
    ordinal: numbers[at + POSITION_WIDTH + 3] ?? 0,
    isDocument: numbers[at + POSITION_WIDTH + 4] === 1,
    rank: undefined,
    totalScore: undefined,
  }),
};
