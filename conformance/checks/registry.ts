import { toFindings } from "../findings/file-fault.js";
import { findRegistryFaults } from "../registry/find-registry-faults.js";
import { findReleasedFaults } from "../registry/find-released-faults.js";
import { findRepositoryFaults } from "../registry/find-repository-faults.js";
import { readRegistry } from "../registry/read-registry.js";
import type { Check } from "./check.js";

export const registry: Check = {
  id: "registry",
  purpose: "The registry says what the files say, and no published version has changed.",
  mend: "npm run generate for hashes; git restore for published versions; else as each line says",
  async run(root) {
    const entries = readRegistry(root);
    const released = entries.schemas.flatMap((entry) => entry.released);
    const artefacts = entries.repositories.flatMap((repository) => repository.artefacts);
    return {
      checked: [
        { count: entries.schemas.length, thing: "schema" },
        { count: released.length, thing: "released version" },
        { count: artefacts.length, thing: "artefact" },
      ],
      findings: toFindings(root, [
        ...findRegistryFaults(root, entries),
        ...findReleasedFaults(root, entries),
        ...findRepositoryFaults(root, entries),
      ]),
    };
  },
};
