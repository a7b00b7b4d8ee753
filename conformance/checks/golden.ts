import { createFinding } from "../../src/base/findings/finding.js";
import { CONFIG_FILE } from "../../src/base/package.js";
import type { Check } from "../check.js";
import { compareGolden } from "../golden/compare.js";
import { listGolden } from "../golden/files.js";
import { listUnits } from "../golden/golden.js";

/** The outputs of golden runs and commands have not changed. */
export const golden: Check = {
  id: "golden",
  purpose:
    "Golden commands, and here rank and every export target, write the committed outputs, byte for byte.",
  fix: "if this change is intended:  npm run cli -- check --write-golden",
  fixElsewhere: "if this change is intended, run check --write-golden",
  needs: ["generated-fresh"],
  configuredBy: "golden",
  whyNot({ isOurs, golden: commands }) {
    if (isOurs || commands.length > 0) return undefined;
    return `"schemas" in ${CONFIG_FILE} names no "golden" commands`;
  },
  async run(workspace) {
    const { root, isOurs } = workspace;
    const units = listUnits(workspace);
    const findings = (isOurs ? listGolden(root).strays : []).map((file) =>
      createFinding({ id: "golden", file, message: "is not part of a golden run: remove it" }),
    );
    let outputs = 0;
    for (const { outputs: committed, run } of units) {
      const result = await run();
      if ("findings" in result) findings.push(...result.findings);
      else {
        outputs += result.made.size;
        findings.push(...compareGolden(root, committed, result.made));
      }
    }
    const checked = [
      { count: outputs, thing: "output" },
      { count: units.length, thing: "golden run" },
    ];
    return { checked, findings };
  },
};
