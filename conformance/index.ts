/** What a repository needs to know whether its copies still agree with the canonical schemas. */

export type { SchemaHashes } from "#generated/index.js";
export type { Finding } from "./findings/finding.js";
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
