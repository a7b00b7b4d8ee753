import { toFindings } from "../../src/findings/finding.js";
import { readRegistry } from "../../src/schemas/registry.js";
import type { Check } from "../check.js";
import { findRegistryFaults, findRepositoryFaults } from "../registry/find-registry-faults.js";

export const registry: Check = {
  id: "registry",
  purpose:
    "The registry names every schema file, by its name and its id, and what other repositories hold.",
  fix: "schema/registry.json, as each line says",
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
