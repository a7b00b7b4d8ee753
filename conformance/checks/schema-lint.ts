import { toFindings } from "../../src/base/findings/finding.js";
import type { Check } from "../check.js";

export const schemaLint: Check = {
  id: "schema-lint",
  purpose: "The schemas are complete, and use only keywords that every generator supports.",
  fix: "change the schema as each finding says, then npm run generate",
  fixElsewhere: "change the schema as each finding says, then run generate",
  async run(workspace) {
    const { findSchemaFaults } = await import("../generator.js");
    const { root, isOurs } = workspace;
    const linked = await workspace.linked();
    const { schemaCount, locationCount, faults, warnings } = findSchemaFaults(linked, isOurs);
    return {
      checked: [
        { count: schemaCount, thing: "schema" },
        { count: locationCount, thing: "location" },
      ],
      findings: [
        ...toFindings(root, faults),
        ...toFindings(root, warnings).map((each) => ({ ...each, severity: "warning" as const })),
      ],
    };
  },
};
