import type { BenchRow } from "../row.js";
import { elizaLatency, traces } from "./capture.js";
import { check, g3 } from "./checks.js";
import {
  exportGrowth,
  exportMemory,
  exportTrainingPython,
  exportWireJson,
  exportWirePython,
  twoCores,
} from "./export.js";
import { pythonRecords, validateJson, validator } from "./validate.js";

/** Every row, in the order of the table. */
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
