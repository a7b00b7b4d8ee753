import { displayName } from "../../src/files/source.js";
import type { FindingList } from "../findings/finding-list.js";

/**
 * Files that hold nothing between them are an error each: a gate that looked at nothing is not green.
 * `leftOut` is the number of records that were left out.
 */
export function addNoRecords(
  findings: FindingList,
  files: readonly string[],
  leftOut: number = 0,
): void {
  if (findings.records > leftOut) return;
  const message =
    leftOut > 0
      ? "nothing is left of it: every record was left out"
      : "holds no records: nothing was checked";
  for (const file of files) findings.addToFile(displayName(file), "no-records", message);
}
