import { toFindings } from "../../src/base/findings/finding.js";
import { findMisspelt } from "../../src/contract/drift/misspelt.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import { REGISTRY_FILE } from "../../src/contract/schemas/registry-file.js";
import type { Check } from "../check.js";
import { findArtefactFaults, findRegistryFaults } from "../registry/find-registry-faults.js";
import { whyNoRegistry } from "../workspace.js";

export const registry: Check = {
  id: "registry",
  purpose:
    "The registry lists every schema file with its name and id, and what other repositories may copy.",
  fix: "edit schema/registry.json as each finding says",
  whyNot: whyNoRegistry,
  async run({ root }) {
    const entries = readRegistry(root);
    return {
      checked: [
        { count: entries.schemas.length, thing: "schema" },
        { count: entries.artefacts?.length ?? 0, thing: "artefact" },
      ],
      findings: toFindings(root, [
        ...findRegistryFaults(root, entries),
        ...findArtefactFaults(root, entries),
        ...findMisspelt(entries, []).map(({ name, pointer, nearest }) => ({
          ...{ id: "unknown-name", file: REGISTRY_FILE, ...(pointer && { pointer }) },
          message: `is ${name}, which is named nowhere else: did you mean ${nearest}?`,
        })),
      ]),
    };
  },
};
