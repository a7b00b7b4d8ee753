import type { BenchRow } from "../row.js";
import { elizaLatency, traces } from "./capture.js";
import { check, g3, start } from "./checks.js";
import {
  exportG3,
  exportGrowth,
  exportMemory,
  exportTraining,
  exportTrl,
  exportWire,
  twoCores,
} from "./export.js";
import { parquet } from "./parquet.js";
import { report } from "./report.js";
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
  twoCores,
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
  elizaLatency,
  traces,
  report,
  check,
  start,
];
