import { toFindings } from "../../src/base/findings/finding.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import type { Check, ThingCount } from "../check.js";
import { findReleasedFaults, findTagFaults } from "../registry/find-released-faults.js";
import { whyNoRegistry } from "../workspace.js";

export const releasedImmutable: Check = {
  id: "released-immutable",
  purpose: "Every wire schema is published, and no published version was changed or deleted.",
  fix: "git restore for published versions, npm run release:schema for new ones",
  whyNot: whyNoRegistry,
  async run({ root }) {
    const registry = readRegistry(root);
    const released = registry.schemas.flatMap((entry) => entry.released);
    const tags = findTagFaults(root);
    const tagged: ThingCount[] =
      tags.checked === 0 ? [] : [{ count: tags.checked, thing: "version in a tag" }];
    return {
      checked: [{ count: released.length, thing: "released version" }, ...tagged],
      findings: [...toFindings(root, findReleasedFaults(root, registry)), ...tags.findings],
    };
  },
};
