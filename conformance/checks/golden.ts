import { createFinding } from "../../src/base/findings/finding.js";
import type { Check } from "../check.js";
import { compareGolden } from "../golden/compare.js";
import { listGolden } from "../golden/files.js";
import { runGolden } from "../golden/golden.js";

/** The outputs of `rank` and `export` for the golden inputs have not changed. */
export const golden: Check = {
  id: "golden",
  purpose: "Rank and every export target write the committed outputs, byte for byte.",
  fix: "if this change is intended:  npm run golden:update",
  needs: ["generated-fresh"],
  whyNot: ({ isOurs }) => (isOurs ? undefined : "it writes no training data"),
  async run({ root }) {
    const { runs, strays } = listGolden(root);
    const findings = strays.map((file) =>
      createFinding({ id: "golden", file, message: "is not part of a golden run: remove it" }),
    );
    let outputs = 0;
    for (const run of runs) {
      const result = await runGolden(root, run);
      if ("findings" in result) findings.push(...result.findings);
      else {
        outputs += result.made.size;
        findings.push(...compareGolden(root, run, result.made));
      }
    }
    const checked = [
      { count: outputs, thing: "output" },
      { count: runs.length, thing: "golden run" },
    ];
    return { checked, findings };
  },
};
