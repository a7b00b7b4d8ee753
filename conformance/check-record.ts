import type { EntryTypeName } from "#generated/index.js";
import { checkStructure } from "../src/records/check-structure.js";
import type { JsonObject } from "../src/records/json-object.js";
import type { RecordLine } from "../src/records/to-record-line.js";
import type { Finding } from "./finding.js";
import { rules } from "./rules/index.js";

/** A finding whose place in the file is not looked up yet. */
export type RecordFault = Pick<Finding, "id" | "severity" | "pointer" | "message">;

/**
 * Everything that is wrong with one line of JSONL: the line, then the record's structure, then its
 * semantics. Each is judged only when the one before is faultless.
 */
export function checkRecord(line: RecordLine, type?: EntryTypeName): RecordFault[] {
  if ("fault" in line) {
    const { id, message } = line.fault;
    return [{ id, severity: "error", pointer: "", message }];
  }
  const structure = checkStructure(line.value, type);
  const meant = structure.type;
  if (meant === undefined || structure.faults.length > 0) {
    return structure.faults.map((fault) => ({ ...fault, severity: "error" }));
  }
  return checkSemantics(line.value, meant);
}

/** What the semantic rules find in a record that is structurally valid for `type`. */
export function checkSemantics(record: JsonObject, type: EntryTypeName): RecordFault[] {
  return rules.flatMap(({ id, severity, check }) =>
    check(record, type).map((fault) => ({ ...fault, id, severity })),
  );
}
