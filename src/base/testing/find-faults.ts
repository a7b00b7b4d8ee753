import type { EntryTypeName } from "#generated/index.js";
import { checkRecord } from "../../rollouts/wire/validation/check-record.js";
import type { RecordFault } from "../findings/finding.js";
import { toJsonl } from "../json/print.js";
import { parseLine } from "../jsonl/reader.js";

/** What `validate` would say of a record, once it is written as a line. */
export function findFaults(record: object, type?: EntryTypeName): readonly RecordFault[] {
  const text = toJsonl([record]).trimEnd();
  const bytes = Buffer.from(text);
  const place = { file: "record.jsonl", line: 1, byteLength: bytes.length };
  return checkRecord({ ...place, ...parseLine(bytes) }, type);
}
