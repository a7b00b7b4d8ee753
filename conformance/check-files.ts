import type { EntryTypeName } from "#generated/index.js";
import { displayName, type InputSource } from "../src/records/input-source.js";
import { readRecords } from "../src/records/read-records.js";
import { requireFiles } from "../src/records/require-files.js";
import type { RecordLine } from "../src/records/to-record-line.js";
import { checkRecord } from "./check-record.js";
import type { FindingList } from "./finding-list.js";

/**
 * Streams the lines of JSONL files through all checks and passes them on, good and bad; what is
 * wrong goes to `findings`. Files that hold no record between them are an error each: a gate that
 * looked at nothing is not green.
 *
 * Throws UserError for a file that cannot be read.
 */
export async function* checkFiles(
  files: readonly string[],
  type: EntryTypeName | undefined,
  findings: FindingList,
  source: InputSource,
): AsyncGenerator<readonly RecordLine[]> {
  await requireFiles(files, source);
  for await (const lines of readRecords(files, source)) {
    for (const line of lines) findings.addChecked(line, checkRecord(line, type));
    yield lines;
  }
  if (findings.records > 0) return;
  for (const file of files) {
    findings.addToFile(displayName(file), "no-records", "holds no records: nothing was checked");
  }
}
