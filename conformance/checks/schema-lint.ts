import type { Check } from "../check.js";
import { runCheckScript } from "../run.js";

export const schemaLint: Check = {
  id: "schema-lint",
  purpose: "The schemas are whole, described, and say only what every language can print alike.",
  fix: "change the schema as each line says, then npm run generate",
  runsScript: true,
  run: (root) => runCheckScript(root, "schema-lint"),
};
