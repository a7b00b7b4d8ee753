import type { RecordFault } from "../../../../conformance/check-record.js";
import { findUnexportable } from "../../../export/find-unexportable.js";

/** Why no output could carry a branch to its reader, though it is valid; none when one can. */
export function checkExportable(branch: object): readonly RecordFault[] {
  const unexportable = findUnexportable(branch);
  return unexportable === undefined ? [] : [{ ...unexportable, severity: "error" }];
}
