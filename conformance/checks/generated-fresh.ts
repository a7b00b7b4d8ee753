import type { Check } from "../check.js";
import { runCheckScript } from "../run.js";

export const generatedFresh: Check = {
  id: "generated-fresh",
  purpose:
    "Everything in generated/ is what the generator prints from the schemas, and nothing else.",
  fix: "npm run generate",
  runsScript: true,
  run: (root) => runCheckScript(root, "generated-fresh"),
};
