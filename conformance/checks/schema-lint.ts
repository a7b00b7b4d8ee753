import { toFindings } from "../../src/base/findings/finding.js";
import type { Check } from "../check.js";

export const schemaLint: Check = {
  id: "schema-lint",
  purpose:
    "The schemas are complete and documented, and use only keywords that every generator supports.",
  fix: "change the schema as each finding says, then npm run generate",
  async run(root) {
    const { findSchemaFaults } = await import("../generator.js");
    const { schemaCount, locationCount, faults } = findSchemaFaults(root);
    return {
      checked: [
        { count: schemaCount, thing: "schema" },
        { count: locationCount, thing: "location" },
      ],
      findings: toFindings(root, faults),
    };
  },
};
