import type { EntryTypeName } from "#generated/index.js";
import { checkStructure } from "../../src/records/check-structure.js";
import type { JsonObject } from "../../src/records/json-object.js";
import { measureValue } from "../../src/records/measure-value.js";
import type { ParsedRecord, RecordLine } from "../../src/records/to-record-line.js";
import type { Finding } from "../findings/finding.js";
import { rulesByScope } from "../rules/index.js";
import type { RuledLine } from "../rules/rule.js";
import { profiles, type RuleSeverities } from "./profiles.js";

/** A finding whose place in the file is not looked up yet. */
export interface RecordFault extends Pick<Finding, "id" | "severity" | "pointer" | "message"> {
  /** From 1; absent where the value that `pointer` names begins. */
  readonly column?: number | undefined;
}

/** What is wrong with a line, and what it holds. */
export interface CheckedLine {
  readonly faults: readonly RecordFault[];
  /** Type of its record; undefined when it holds none that is structurally valid. */
  readonly type: EntryTypeName | undefined;
}

/**
 * Everything that is wrong with one line of JSONL: the line, then the record's structure, then its
 * semantics. Each is judged only when the one before is faultless. `type` is what the line has to be, by
 * default what its shape suggests.
 */
export function checkRecord(
  line: RecordLine,
  type?: EntryTypeName,
  severities?: RuleSeverities,
): readonly RecordFault[] {
  return checkLine(line, type, severities).faults;
}

/** The same, with the type of what is valid. */
export function checkLine(
  line: RecordLine,
  type?: EntryTypeName,
  severities: RuleSeverities = profiles.strict,
): CheckedLine {
  if ("fault" in line) {
    const { id, message } = line.fault;
    return { faults: [{ id, severity: "error", pointer: "", message }], type: undefined };
  }
  const checked = checkOutline(line, type, severities);
  if (checked.type === undefined) return checked;
  const measured = { ...line, measure: measureValue(line.value) };
  return { ...checked, faults: [...checkText(measured, severities), ...checked.faults] };
}

/** The same of a record whose line is known to follow all rules for lines. */
export function checkOutline(
  { value }: Pick<ParsedRecord, "value">,
  type?: EntryTypeName,
  severities: RuleSeverities = profiles.strict,
): CheckedLine {
  const { type: meant, faults } = checkStructure(value, type);
  if (meant === undefined || faults.length > 0) {
    return {
      faults: faults.map((fault) => ({ ...fault, severity: "error" })),
      type: undefined,
    };
  }
  return { faults: checkMeaning(value, meant, severities), type: meant };
}

/** What the semantic rules find in a line whose record is structurally valid for `type`. */
export function checkSemantics(
  line: RuledLine,
  type: EntryTypeName,
  severities: RuleSeverities = profiles.strict,
): RecordFault[] {
  return [...checkText(line, severities), ...checkMeaning(line.value, type, severities)];
}

function checkText(line: RuledLine, severities: RuleSeverities): RecordFault[] {
  const found: RecordFault[] = [];
  for (const { id, check } of rulesByScope.line) {
    const severity = severities[id];
    if (severity === "off") continue;
    for (const fault of check(line)) found.push({ ...fault, id, severity });
  }
  return found;
}

/** What the rules for records find in one that is structurally valid for `type`. */
export function checkMeaning(
  record: JsonObject,
  type: EntryTypeName,
  severities: RuleSeverities = profiles.strict,
): RecordFault[] {
  const found: RecordFault[] = [];
  for (const { id, check } of rulesByScope.record) {
    const severity = severities[id];
    if (severity === "off") continue;
    for (const fault of check(record, type)) found.push({ ...fault, id, severity });
  }
  return found;
}
