import { displayName } from "../src/records/input-source.js";
import type { FindingList } from "./finding-list.js";

/**
 * Files of which nothing is left are an error each: a gate that looked at nothing is not green.
 * `rejected` is the number of records that were left out as invalid.
 */
export function addNoRecords(
  findings: FindingList,
  files: readonly string[],
  rejected: number = 0,
): void {
  if (findings.records > rejected) return;
  const message =
    rejected > 0
      ? "holds no valid record: everything was left out"
      : "holds no records: nothing was checked";
  for (const file of files) findings.addToFile(displayName(file), "no-records", message);
}
