import type { EntryTypeName } from "#generated/index.js";
import type { MeasuredText } from "../../../../base/json/text-faults.js";
import type { JsonObject } from "../../../../base/json/value.js";
import { DEFAULT_WEIGHTS, type ScoreWeights } from "../../scoring/score.js";

/** One violation of a rule in a record. */
export interface RuleFault {
  readonly pointer: string;
  /** From 1, in UTF-16 code units of the line. If absent, the position of the value that `pointer` names. */
  readonly column?: number;
  /** A message without the position, safe on a terminal. */
  readonly message: string;
  /** Which of the causes of the rule it has, if they are several at one place. */
  readonly cause?: string;
}

/** A violation in one branch, detected by comparing branches. */
interface BranchRuleFault extends RuleFault {
  /** Index of the branch in the given list. */
  readonly branch: number;
}

/** A line as text and as a parsed value. */
export interface RuledLine extends MeasuredText {
  /** The result of `JSON.parse`. */
  readonly value: JsonObject;
}

/**
 * The facts about a branch that rollout rules need. They are small, so that those of a whole file can be kept
 * on disk until all branches are read.
 */
export interface BranchFacts {
  readonly branchIndex: number;
  /** The task or a hash of it; equal for equal tasks. */
  readonly task: string | number;
  /** Integer from 1, or the invalid 0, which `zero-based-ranks` explains. Undefined for an unranked branch. */
  readonly rank: number | undefined;
  readonly totalScore: number | undefined;
}

interface RuleBase {
  /** Also the name of its file, of its page in `docs/rules`, and of its fixtures. */
  readonly id: string;
  /** What valid data is like, in one sentence. */
  readonly purpose: string;
}

/** Checks what parsing would hide. */
export interface LineRule extends RuleBase {
  readonly scope: "line";
  /** Returns the faults of a line whose record is structurally valid. */
  check(line: MeasuredText): readonly RuleFault[];
}

/** What a rule knows besides the record. Plain data, so that it can be sent to threads. */
export interface RuleContext {
  /** The weights with which the records were scored. */
  readonly weights: ScoreWeights;
}

export const DEFAULT_CONTEXT: RuleContext = { weights: DEFAULT_WEIGHTS };

/** Checks what JSON Schema cannot express about one record, such as that two of its fields agree. */
export interface RecordRule extends RuleBase {
  readonly scope: "record";
  /**
   * Returns the faults of a record that is structurally valid for `type`. Of a branch, it may have only what
   * `BranchReader` parses: not the UNRULED_FIELDS, and no tool events that it considers faultless, so a rule that reads
   * tool events must accept all of those. A rule that compares them with another field is the exception: they are there
   * if the record has that field.
   */
  check(record: JsonObject, type: EntryTypeName, context: RuleContext): readonly RuleFault[];
}

/** Checks what must hold among the branches of a rollout. */
export interface RolloutRule extends RuleBase {
  readonly scope: "rollout";
  /**
   * Returns the faults among all branches of one rollout, given in input order, each structurally valid, except that
   * ranks may be 0.
   */
  check(branches: readonly BranchFacts[]): readonly BranchRuleFault[];
}

/** A requirement that JSON Schema cannot express. The profiles define how severe a violation is. */
export type Rule = LineRule | RecordRule | RolloutRule;
