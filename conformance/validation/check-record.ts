import type { EntryTypeName } from "#generated/index.js";
import type { JsonObject } from "../../src/json/value.js";
import { measureValue } from "../../src/json/value.js";
import type { RecordLine } from "../../src/jsonl/reader.js";
import { checkStructure } from "../../src/records/check-structure.js";
import type { Finding } from "../findings/finding.js";
import { type RuleId, rulesByScope } from "../rules/index.js";
import type { RuledLine, RuleFault } from "../rules/rule.js";
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
  severities?: RuleSeverities,
): CheckedLine {
  if ("fault" in line) {
    const { id, message } = line.fault;
    return { faults: [{ id, severity: "error", pointer: "", message }], type: undefined };
  }
  const { type: meant, faults } = checkStructure(line.value, type);
  if (meant === undefined || faults.length > 0) {
    return {
      faults: faults.map((fault) => ({ ...fault, severity: "error" })),
      type: undefined,
    };
  }
  const found = line.followsLineRules
    ? checkRecordRules(line.value, meant, severities)
    : checkSemantics({ ...line, measure: measureValue(line.value) }, meant, severities);
  return { faults: found, type: meant };
}

/** What the semantic rules find in a line whose record is structurally valid for `type`. */
export function checkSemantics(
  line: RuledLine,
  type: EntryTypeName,
  severities: RuleSeverities = profiles.strict,
): RecordFault[] {
  return [
    ...check(rulesByScope.line, severities, (rule) => rule.check(line)),
    ...checkRecordRules(line.value, type, severities),
  ];
}

/** The same of a record whose line follows all rules for lines. */
export function checkRecordRules(
  record: JsonObject,
  type: EntryTypeName,
  severities: RuleSeverities = profiles.strict,
): RecordFault[] {
  return check(rulesByScope.record, severities, (rule) => rule.check(record, type));
}

function check<Checked extends { readonly id: RuleId }>(
  rules: readonly Checked[],
  severities: RuleSeverities,
  find: (rule: Checked) => readonly RuleFault[],
): RecordFault[] {
  const found: RecordFault[] = [];
  for (const rule of rules) {
    const severity = severities[rule.id];
    if (severity === "off") continue;
    for (const fault of find(rule)) found.push({ ...fault, id: rule.id, severity });
  }
  return found;
}
