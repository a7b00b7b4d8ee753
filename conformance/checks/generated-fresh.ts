import type { Check } from "../check.js";
import { runCheckScript } from "../run.js";

export const generatedFresh: Check = {
  id: "generated-fresh",
  purpose: "The folder generated/ contains exactly what the generator prints from the schemas.",
  fix: "npm run generate",
  runsScript: true,
  run: (root) => runCheckScript(root, "generated-fresh"),
};
