/** What a repository needs to know whether its copies still agree with the canonical schemas. */

export { type BranchFault, checkRollout } from "./check-rollout.js";
export type { Finding } from "./finding.js";
export { type Registry, type RegistryEntry, readRegistry } from "./registry/read-registry.js";
export { canonicalHash, type SchemaHashes, schemaHashes } from "./registry/schema-hashes.js";
export { rolloutRules } from "./rollout-rules/index.js";
export { rules } from "./rules/index.js";
