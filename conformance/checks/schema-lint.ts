import type { Check } from "../check.js";
import { runCheckScript } from "../run.js";

export const schemaLint: Check = {
  id: "schema-lint",
  purpose:
    "The schemas are complete and documented, and use only keywords that every generator supports.",
  fix: "change the schema as each finding says, then npm run generate",
  runsScript: true,
  run: (root) => runCheckScript(root, "schema-lint"),
};
