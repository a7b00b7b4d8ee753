import type { Severity } from "../../../base/findings/finding.js";
import { isJsonObject } from "../../../base/json/value.js";
import { isRuleId, type RuleId } from "./rules/index.js";

/** How severe a violation of a rule is. `off`: the rule is not applied. */
export type RuleSeverity = Severity | "off";

/** A severity for every rule. Plain data, so that it can be sent to threads. */
export type RuleSeverities = Readonly<Record<RuleId, RuleSeverity>>;

export const RULE_SEVERITIES = ["error", "warning", "off"] as const satisfies RuleSeverity[];

/** Severities that override those of a profile. */
export type RuleSettings = Partial<RuleSeverities>;

/** Tells whether `value` is an object that maps rules to severities. */
export function isRuleSettings(value: unknown): value is RuleSettings {
  if (!isJsonObject(value)) return false;
  const severities: readonly unknown[] = RULE_SEVERITIES;
  return Object.entries(value).every(
    ([id, severity]) => isRuleId(id) && severities.includes(severity),
  );
}

/**
 * In `strict`, every fault that silently trains a wrong model is an error. `lenient` is for old or foreign
 * data: only contradictions that make a record ambiguous remain errors.
 */
export const profiles = {
  strict: {
    "well-formed-unicode": "error",
    "safe-integer": "error",
    "duplicate-key": "error",
    "hash-matches-task": "error",
    "chosen-beats-rejected": "error",
    "status-agrees-with-score": "error",
    // Other weights may have been used.
    "score-in-range": "warning",
    // The exporter reads all dialects.
    "tool-event-dialect": "warning",
    // The exporter recognises such branches, and trainer targets reject them.
    "unpaired-tool-result": "warning",
    "turns-agree": "error",
    // Models do invent tools.
    "undeclared-tool": "warning",
    "numeric-reward-data": "error",
    "trace-prompt-aliasing": "error",
    "one-task-per-rollout": "error",
    "branch-index-unique": "error",
    // The branch of rank 0 is an error anyway.
    "zero-based-ranks": "warning",
    "rank-permutation": "error",
    "rank-follows-score": "error",
  },
  lenient: {
    "well-formed-unicode": "warning",
    "safe-integer": "warning",
    "duplicate-key": "warning",
    "hash-matches-task": "warning",
    "chosen-beats-rejected": "warning",
    "status-agrees-with-score": "error",
    "score-in-range": "warning",
    "tool-event-dialect": "off",
    "unpaired-tool-result": "warning",
    "turns-agree": "warning",
    "undeclared-tool": "warning",
    "numeric-reward-data": "warning",
    "trace-prompt-aliasing": "warning",
    "one-task-per-rollout": "error",
    "branch-index-unique": "error",
    "zero-based-ranks": "warning",
    "rank-permutation": "warning",
    "rank-follows-score": "error",
  },
} as const satisfies Record<string, RuleSeverities>;

/** Name of a set of severities. */
export type ProfileName = keyof typeof profiles;

/** Tells whether a profile of this name exists. */
export function isProfileName(name: string): name is ProfileName {
  return Object.hasOwn(profiles, name);
}
