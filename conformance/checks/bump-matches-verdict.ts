import { today } from "../../src/base/text.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import type { Check, ThingCount } from "../check.js";
import { checkVersions } from "../versions/faults.js";
import { whyNoRegistry } from "../workspace.js";

export const bumpMatchesVerdict: Check = {
  id: "bump-matches-verdict",
  purpose:
    "Every wire schema has the version that its changes since the last published one require.",
  fix: "edit schema/registry.json or schema/approvals.json as each finding says",
  whyNot: whyNoRegistry,
  async run({ root }, options) {
    const registry = readRegistry(root);
    const { changes, approved, findings } = checkVersions(
      root,
      registry,
      options?.today ?? today(),
    );
    const breaks: ThingCount[] =
      approved.size === 0 ? [] : [{ count: approved.size, thing: "approved break" }];
    return { checked: [{ count: changes.length, thing: "schema" }, ...breaks], findings };
  },
};
