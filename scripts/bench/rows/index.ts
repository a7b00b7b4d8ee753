import type { BenchRow } from "../row.js";
import { check, g3, start } from "./checks.js";
import {
  exportG3,
  exportGrowth,
  exportMemory,
  exportTraining,
  exportTrl,
  exportWire,
  parquet,
} from "./export.js";
import { shardJoin, shardSplit, shardSplitMemory } from "./scale.js";
import {
  pythonRecords,
  validateFiles,
  validateSmall,
  validateWarnings,
  validator,
} from "./validate.js";

/** Every row, in the order of the table. */
export const rows: readonly BenchRow[] = [
  validateFiles,
  validateSmall,
  validateWarnings,
  exportWire,
  exportTraining,
  exportTrl,
  exportG3,
  parquet,
  exportMemory,
  exportGrowth,
  shardSplit,
  shardSplitMemory,
  shardJoin,
  pythonRecords,
  validator,
  g3,
  check,
  start,
];
