/** What a repository needs to know whether its copies still agree with the canonical schemas. */

export type { Lock, SchemaHashes } from "#generated/index.js";
export { gradeByHashes, type HashGrade } from "./drift/grade-by-hashes.js";
export { readLock } from "./drift/read-lock.js";
export type { Finding } from "./findings/finding.js";
export { JsonTextError, type JsonTextFault } from "./hashes/json-text-error.js";
export { type Registry, type RegistryEntry, readRegistry } from "./registry/read-registry.js";
export { canonicalHash, schemaHashes } from "./registry/schema-hashes.js";
export { isRuleId, type RuleId, rules } from "./rules/index.js";
export type { LineRule, RecordRule, RolloutRule, Rule } from "./rules/rule.js";
export { type BranchFault, checkRollout } from "./validation/check-rollout.js";
export {
  isProfileName,
  type ProfileName,
  profiles,
  type RuleSeverities,
  type RuleSeverity,
} from "./validation/profiles.js";
