/** Everything a repository needs to verify its copies against the canonical schemas. */

export type { Lock, SchemaHashes } from "#generated/index.js";
export type { Finding, RecordFault, Severity } from "../src/base/findings/finding.js";
export { gradeByHashes, type HashGrade } from "../src/contract/drift/hash-grade.js";
export { readLock } from "../src/contract/drift/lock.js";
export { canonicalHash, schemaHashes } from "../src/contract/schemas/hashes.js";
export { JsonTextError, type JsonTextFault } from "../src/contract/schemas/json-text.js";
export {
  type Registry,
  type RegistryEntry,
  readRegistry,
} from "../src/contract/schemas/registry.js";
export {
  isProfileName,
  type ProfileName,
  profiles,
  type RuleSeverities,
  type RuleSeverity,
} from "../src/rollouts/wire/validation/profiles.js";
export { isRuleId, type RuleId, rules } from "../src/rollouts/wire/validation/rules/index.js";
export type {
  BranchFacts,
  LineRule,
  RecordRule,
  RolloutRule,
  Rule,
  RuleContext,
  RuleFault,
} from "../src/rollouts/wire/validation/rules/rule.js";
