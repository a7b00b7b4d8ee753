/** What a repository needs to know whether its copies still agree with the canonical schemas. */

export type { Lock, SchemaHashes } from "#generated/index.js";
export type { Finding } from "../src/findings/finding.js";
export { type BranchFault, checkRollout } from "../src/validation/check-record.js";
export {
  isProfileName,
  type ProfileName,
  profiles,
  type RuleSeverities,
  type RuleSeverity,
} from "../src/validation/profiles.js";
export { isRuleId, type RuleId, rules } from "../src/validation/rules/index.js";
export type { LineRule, RecordRule, RolloutRule, Rule } from "../src/validation/rules/rule.js";
export { gradeByHashes, type HashGrade } from "./drift/grade-by-hashes.js";
export { readLock } from "./drift/read-lock.js";
export { JsonTextError, type JsonTextFault } from "./hashes/json-text-error.js";
export { type Registry, type RegistryEntry, readRegistry } from "./registry/read-registry.js";
export { canonicalHash, schemaHashes } from "./registry/schema-hashes.js";
