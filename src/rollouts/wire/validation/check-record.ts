import type { EntryTypeName, Open, RolloutBranch } from "#generated/index.js";
import type { RecordFault } from "../../../base/findings/finding.js";
import type { MeasuredText } from "../../../base/json/text-faults.js";
import { type JsonObject, measureValue } from "../../../base/json/value.js";
import type { RecordLine } from "../../../base/jsonl/record-line.js";
import { profiles, type RuleSeverities } from "./profiles.js";
import { findHeadOfTask, hashMatchesTask } from "./rules/hash-matches-task.js";
import { type RuleId, rulesByScope } from "./rules/index.js";
import {
  type BranchFacts,
  DEFAULT_CONTEXT,
  type RuleContext,
  type RuledLine,
  type RuleFault,
} from "./rules/rule.js";
import { checkStructure } from "./structure.js";

/** The findings for a line, and the type of its record. */
interface CheckedLine {
  readonly faults: readonly RecordFault[];
  /** Type of its record; undefined if it has no structurally valid record. */
  readonly type: EntryTypeName | undefined;
  /**
   * Type for which rollout rules look at its record: that of a valid record, and of a ranked branch whose only fault
   * is a rank of 0. Such a branch is invalid, but all facts about it are known.
   */
  readonly factsType: EntryTypeName | undefined;
}

/**
 * Checks one line of JSONL: first the line, then the record's structure, then its semantics. Each step runs
 * only if the previous one found no faults. `type` is the required type; by default it is inferred from the
 * record's shape.
 */
export function checkRecord(
  line: RecordLine,
  type?: EntryTypeName,
  severities?: RuleSeverities,
  context?: RuleContext,
): readonly RecordFault[] {
  return checkLine(line, type, severities, context).faults;
}

/** The same, together with the type of a valid record. */
export function checkLine(
  line: RecordLine,
  type?: EntryTypeName,
  severities?: RuleSeverities,
  context?: RuleContext,
): CheckedLine {
  if ("fault" in line) {
    const { id, message, cause } = line.fault;
    const faults = [{ id, severity: "error", pointer: "", message, cause } as const];
    return { faults, type: undefined, factsType: undefined };
  }
  const { validFor } = line;
  if (validFor !== undefined && (type ?? validFor) === validFor) {
    const faults = checkRecordRules(line.ruled ?? line.value, validFor, severities, context);
    return { faults, type: validFor, factsType: validFor };
  }
  const { type: meant, faults } = checkStructure(line.value, type);
  if (meant === undefined || faults.length > 0) {
    return {
      faults: faults.map((fault) => ({
        ...explainHash(line.value, fault, severities),
        severity: "error",
      })),
      type: undefined,
      factsType: isZeroRanked(line.value, meant, faults) ? meant : undefined,
    };
  }
  const found = line.followsLineRules
    ? checkRecordRules(line.value, meant, severities, context)
    : checkSemantics({ ...line, measure: measureValue(line.value) }, meant, severities, context);
  return { faults: found, type: meant, factsType: meant };
}

/** The fault of a schema, or what `hash-matches-task` says of the same hash. */
function explainHash(
  record: JsonObject,
  fault: RuleFault & { readonly id: string },
  severities: RuleSeverities = profiles.strict,
): RuleFault & { readonly id: string } {
  const { id } = hashMatchesTask;
  const found = severities[id] === "off" ? undefined : findHeadOfTask(record, fault.pointer);
  return found === undefined ? fault : { ...found, id };
}

/** Tells whether a record with these faults is a ranked branch that is valid except for its rank of 0. */
function isZeroRanked(
  { rank }: JsonObject,
  type: EntryTypeName | undefined,
  faults: readonly { readonly pointer: string }[],
): boolean {
  if (type !== "RolloutBranchRecord" || rank !== 0) return false;
  return faults.every(({ pointer }) => pointer === "/rank");
}

/** Applies the semantic rules to a line whose record is structurally valid for `type`. */
export function checkSemantics(
  line: RuledLine,
  type: EntryTypeName,
  severities: RuleSeverities = profiles.strict,
  context?: RuleContext,
): RecordFault[] {
  return [
    ...checkLineRules(line, severities),
    ...checkRecordRules(line.value, type, severities, context),
  ];
}

/** Applies the rules about lines to a line that is valid JSON. */
export function checkLineRules(line: MeasuredText, severities: RuleSeverities): RecordFault[] {
  return check(rulesByScope.line, severities, (rule) => rule.check(line));
}

/** The same for a record whose line is known to follow all line rules. */
export function checkRecordRules(
  record: JsonObject,
  type: EntryTypeName,
  severities: RuleSeverities = profiles.strict,
  context: RuleContext = DEFAULT_CONTEXT,
): RecordFault[] {
  return check(rulesByScope.record, severities, (rule) => rule.check(record, type, context));
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
    for (const fault of find(rule)) found.push({ cause: "", ...fault, id: rule.id, severity });
  }
  return found;
}

/** A finding about one branch of a rollout. */
export interface BranchFault extends RecordFault {
  /** Index of the branch in the given list. */
  readonly branch: number;
}

/**
 * Applies the rollout rules to all branches of a rollout, each of them valid by itself. Ranks of branches that
 * are not yet ranked (`RolloutBranch`) are ignored, whatever their open fields contain.
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

/** The facts that rollout rules need about a branch that is structurally valid for `type`. */
export function toBranchFacts(branch: Open<RolloutBranch>, type: EntryTypeName): BranchFacts {
  const { branch_index: branchIndex, task, rank, total_score: totalScore } = branch;
  const isRanked =
    type === "RolloutBranchRecord" && typeof rank === "number" && typeof totalScore === "number";
  return isRanked
    ? { branchIndex, task, rank, totalScore }
    : { branchIndex, task, rank: undefined, totalScore: undefined };
}

/** Like `checkRollout`, if only the facts are available. */
export function checkBranches(
  branches: readonly BranchFacts[],
  severities: RuleSeverities = profiles.strict,
): BranchFault[] {
  const found: BranchFault[] = [];
  for (const { id, check } of rulesByScope.rollout) {
    const severity = severities[id];
    if (severity === "off") continue;
    for (const fault of check(branches)) found.push({ cause: "", ...fault, id, severity });
  }
  return found;
}
