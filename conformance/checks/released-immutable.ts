import { toFindings } from "../findings/file-fault.js";
import { findReleasedFaults } from "../registry/find-released-faults.js";
import { readRegistry } from "../registry/read-registry.js";
import type { Check } from "./check.js";

export const releasedImmutable: Check = {
  id: "released-immutable",
  purpose: "Every schema is published, and no published version has changed or gone.",
  mend: "git restore for published versions, npm run release:schema for new ones",
  async run(root) {
    const registry = readRegistry(root);
    const released = registry.schemas.flatMap((entry) => entry.released);
    return {
      checked: [{ count: released.length, thing: "released version" }],
      findings: toFindings(root, findReleasedFaults(root, registry)),
    };
  },
};
