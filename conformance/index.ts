/** Everything a repository needs to verify its copies against the canonical schemas. */

export type { Lock, SchemaHashes } from "#generated/index.js";
export { gradeByHashes, type HashGrade } from "../src/drift/hash-grade.js";
export { readLock } from "../src/drift/lock.js";
export type { Finding, RecordFault, Severity } from "../src/findings/finding.js";
export { canonicalHash, schemaHashes } from "../src/schemas/hashes.js";
export { JsonTextError, type JsonTextFault } from "../src/schemas/json-text.js";
export { type Registry, type RegistryEntry, readRegistry } from "../src/schemas/registry.js";
export { UserError } from "../src/user-error.js";
export { type BranchFault, checkRollout } from "../src/validation/check-record.js";
export {
  isProfileName,
  type ProfileName,
  profiles,
  type RuleSeverities,
  type RuleSeverity,
} from "../src/validation/profiles.js";
export { isRuleId, type RuleId, rules } from "../src/validation/rules/index.js";
export type {
  BranchFacts,
  LineRule,
  RecordRule,
  RolloutRule,
  Rule,
  RuleContext,
  RuleFault,
} from "../src/validation/rules/rule.js";
