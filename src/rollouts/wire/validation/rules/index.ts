import { branchIndexUnique } from "./branch-index-unique.js";
import { chosenBeatsRejected } from "./chosen-beats-rejected.js";
import { duplicateKey } from "./duplicate-key.js";
import { hashMatchesTask } from "./hash-matches-task.js";
import { numericRewardData } from "./numeric-reward-data.js";
import { oneTaskPerRollout } from "./one-task-per-rollout.js";
import { rankFollowsScore } from "./rank-follows-score.js";
import { rankPermutation } from "./rank-permutation.js";
import type { LineRule, RecordRule, RolloutRule } from "./rule.js";
import { safeInteger } from "./safe-integer.js";
import { scoreInRange } from "./score-in-range.js";
import { statusAgreesWithScore } from "./status-agrees-with-score.js";
import { toolEventDialect } from "./tool-event-dialect.js";
import { tracePromptAliasing } from "./trace-prompt-aliasing.js";
import { turnsAgree } from "./turns-agree.js";
import { undeclaredTool } from "./undeclared-tool.js";
import { unpairedToolResult } from "./unpaired-tool-result.js";
import { wellFormedUnicode } from "./well-formed-unicode.js";
import { zeroBasedRanks } from "./zero-based-ranks.js";

const lineRules = [wellFormedUnicode, safeInteger, duplicateKey] as const;

const recordRules = [
  hashMatchesTask,
  chosenBeatsRejected,
  statusAgreesWithScore,
  scoreInRange,
  toolEventDialect,
  unpairedToolResult,
  turnsAgree,
  undeclaredTool,
  numericRewardData,
  tracePromptAliasing,
] as const;

const rolloutRules = [
  oneTaskPerRollout,
  branchIndexUnique,
  zeroBasedRanks,
  rankPermutation,
  rankFollowsScore,
] as const;

/** All semantic rules, in the order in which their findings are reported. */
export const rules = [...lineRules, ...recordRules, ...rolloutRules] as const;

/** Id of a semantic rule. */
export type RuleId = (typeof rules)[number]["id"];

export const ruleIds: readonly RuleId[] = rules.map(({ id }) => id);

/** Rules with literal id types. */
type Known<Rule> = Rule & { readonly id: RuleId };

/** The same rules, grouped by scope. */
export const rulesByScope: {
  readonly line: readonly Known<LineRule>[];
  readonly record: readonly Known<RecordRule>[];
  readonly rollout: readonly Known<RolloutRule>[];
} = { line: lineRules, record: recordRules, rollout: rolloutRules };

/** Tells whether a rule with this id exists. */
export function isRuleId(id: string): id is RuleId {
  return rules.some((rule) => rule.id === id);
}
