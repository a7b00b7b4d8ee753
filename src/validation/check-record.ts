import type { EntryTypeName, RolloutBranch } from "#generated/index.js";
import type { RecordFault } from "../findings/finding.js";
import { type JsonObject, measureValue } from "../json/value.js";
import type { RecordLine } from "../jsonl/reader.js";
import { profiles, type RuleSeverities } from "./profiles.js";
import { type RuleId, rulesByScope } from "./rules/index.js";
import type { BranchFacts, RuledLine, RuleFault } from "./rules/rule.js";
import { checkStructure } from "./structure.js";

/** What is wrong with a line, and what it holds. */
interface CheckedLine {
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

/** A finding about one branch of a rollout. */
export interface BranchFault extends RecordFault {
  /** Index of the branch among those that were given. */
  readonly branch: number;
}

/**
 * What the rules over rollouts find in all branches of one, each of them valid by itself. Branches that
 * are not yet ranked (`RolloutBranch`) have no ranks to judge, whatever their open fields hold.
 */
export function checkRollout(
  branches: readonly RolloutBranch[],
  type: EntryTypeName = "RolloutBranchRecord",
  severities?: RuleSeverities,
): BranchFault[] {
  return checkBranches(
    branches.map((branch) => toBranchFacts(branch, type)),
    severities,
  );
}

/** What rules over rollouts know of a branch that is structurally valid for `type`. */
export function toBranchFacts(branch: RolloutBranch, type: EntryTypeName): BranchFacts {
  const { branch_index: branchIndex, task, rank, total_score: totalScore } = branch;
  const isRanked =
    type === "RolloutBranchRecord" && typeof rank === "number" && typeof totalScore === "number";
  return isRanked
    ? { branchIndex, task, rank, totalScore }
    : { branchIndex, task, rank: undefined, totalScore: undefined };
}

/** The same of branches of which only the facts are at hand. */
export function checkBranches(
  branches: readonly BranchFacts[],
  severities: RuleSeverities = profiles.strict,
): BranchFault[] {
  const found: BranchFault[] = [];
  for (const { id, check } of rulesByScope.rollout) {
    const severity = severities[id];
    if (severity === "off") continue;
    for (const fault of check(branches)) found.push({ ...fault, id, severity });
  }
  return found;
}
