import type { EntryTypeName } from "#generated/index.js";
import type { JsonObject, ValueMeasure } from "../../json/value.js";

/** One place in a record that breaks a rule. */
export interface RuleFault {
  readonly pointer: string;
  /** From 1, in UTF-16 code units of the line; absent where the value that `pointer` names begins. */
  readonly column?: number;
  /** A sentence without its place, safe on a terminal. */
  readonly message: string;
}

/** A place in one branch that breaks a rule, in the light of the others. */
interface BranchRuleFault extends RuleFault {
  /** Index of the branch among those that were given. */
  readonly branch: number;
}

/** A line as it is written, and what it says. */
export interface RuledLine {
  /** Valid JSON. */
  readonly text: string;
  /** What `JSON.parse` makes of it. */
  readonly value: JsonObject;
  /** That of `value`. */
  readonly measure: ValueMeasure;
}

/**
 * What rules over a rollout know of a branch: so little that a file's branches can be kept on disk until
 * all of them are read, wherever they stand.
 */
export interface BranchFacts {
  readonly branchIndex: number;
  /** The task, or a hash of it: the same for the same task. */
  readonly task: string | number;
  /** Undefined for a branch that is not ranked. */
  readonly rank: number | undefined;
  readonly totalScore: number | undefined;
}

interface RuleBase {
  /** Also the name of its file, of its page in `docs/rules`, and of its fixtures. */
  readonly id: string;
  /** What data that follows the rule is like, in one sentence. */
  readonly purpose: string;
}

/** What parsing would hide. */
export interface LineRule extends RuleBase {
  readonly scope: "line";
  /** Faults of a line whose record is structurally valid. */
  check(line: RuledLine): readonly RuleFault[];
}

/** What JSON Schema cannot say about one record, such as that two of its fields agree. */
export interface RecordRule extends RuleBase {
  readonly scope: "record";
  /**
   * Faults of a record that is structurally valid for `type`. Tool events in which `OutlineReader` sees no fault are
   * not in it: a rule that reads them has to be content with what that asks of them.
   */
  check(record: JsonObject, type: EntryTypeName): readonly RuleFault[];
}

/** What must hold between the branches of one rollout. */
export interface RolloutRule extends RuleBase {
  readonly scope: "rollout";
  /** Faults of all branches of one rollout, in the order of the input, each structurally valid. */
  check(branches: readonly BranchFacts[]): readonly BranchRuleFault[];
}

/** What data must be like beyond its JSON Schema. How severe a fault is, the profiles say. */
export type Rule = LineRule | RecordRule | RolloutRule;
