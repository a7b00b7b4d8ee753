import { findUnexportable, MAX_NESTING } from "../../export/find-unexportable.js";
import type { ValueMeasure } from "../../json/value.js";
import type { RecordFault } from "../../validation/check-record.js";

/** Why no output could carry a branch to its reader, though it is valid; none when one can. */
export function checkExportable(
  branch: object,
  { depth, largest }: ValueMeasure,
): readonly RecordFault[] {
  if (depth <= MAX_NESTING && Number.isFinite(largest)) return [];
  const unexportable = findUnexportable(branch);
  return unexportable === undefined ? [] : [{ ...unexportable, severity: "error" }];
}
