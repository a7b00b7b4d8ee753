import type { BenchRow } from "../row.js";
import { check } from "./check.js";
import { elizaLatency } from "./eliza-latency.js";
import { exportGrowth } from "./export-growth.js";
import { exportMemory } from "./export-memory.js";
import { exportTrainingPython } from "./export-training-python.js";
import { exportWireJson } from "./export-wire-json.js";
import { exportWirePython } from "./export-wire-python.js";
import { g3 } from "./g3.js";
import { pythonRecords } from "./python-records.js";
import { traces } from "./traces.js";
import { twoCores } from "./two-cores.js";
import { validateJson } from "./validate-json.js";
import { validator } from "./validator.js";

/** Every row, in the order in which the table shows them. */
export const rows: readonly BenchRow[] = [
  twoCores,
  exportWireJson,
  exportWirePython,
  exportTrainingPython,
  validateJson,
  exportMemory,
  exportGrowth,
  pythonRecords,
  validator,
  g3,
  elizaLatency,
  traces,
  check,
];
