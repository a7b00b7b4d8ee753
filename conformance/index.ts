/** What a repository needs to know whether its copies still agree with the canonical schemas. */

export type { Finding } from "./finding.js";
export { type Registry, type RegistryEntry, readRegistry } from "./registry/read-registry.js";
export { canonicalHash, type SchemaHashes, schemaHashes } from "./registry/schema-hashes.js";
export { rules } from "./rules/index.js";
