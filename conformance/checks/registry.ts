import { toFindings } from "../../src/base/findings/finding.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import type { Check } from "../check.js";
import { findRegistryFaults, findRepositoryFaults } from "../registry/find-registry-faults.js";

export const registry: Check = {
  id: "registry",
  purpose:
    "The registry lists every schema file with its name and id, and the copies in other repositories.",
  fix: "edit schema/registry.json as each finding says",
  async run(root) {
    const entries = readRegistry(root);
    const artefacts = entries.repositories.flatMap((repository) => repository.artefacts);
    return {
      checked: [
        { count: entries.schemas.length, thing: "schema" },
        { count: artefacts.length, thing: "artefact" },
      ],
      findings: toFindings(root, [
        ...findRegistryFaults(root, entries),
        ...findRepositoryFaults(root, entries),
      ]),
    };
  },
};
