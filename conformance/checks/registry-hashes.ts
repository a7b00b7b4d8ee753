import { toFindings } from "../../src/base/findings/finding.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import type { Check } from "../check.js";
import { findHashFaults } from "../registry/find-registry-faults.js";
import { whyNoRegistry } from "../workspace.js";

export const registryHashes: Check = {
  id: "registry-hashes",
  purpose: "The hashes in the registry are those of the schema files.",
  fix: "npm run generate",
  needs: ["generated-fresh"],
  whyNot: whyNoRegistry,
  async run({ root }) {
    const registry = readRegistry(root);
    return {
      checked: [{ count: registry.schemas.length, thing: "schema" }],
      findings: toFindings(root, findHashFaults(root, registry)),
    };
  },
};
