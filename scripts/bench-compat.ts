import { createTempFolder } from "../src/base/files/temp.js";
import { EXIT } from "../src/base/user-error.js";
import { checkPairs, formatVerdicts, isGreen } from "./bench/compat.js";
import { createJsoncompatJudge, ownJudge } from "./bench/compat-judges.js";
import { DEFAULT_PAIR_FILES, readPairs } from "./bench/compat-pairs.js";
import { timeDiffs } from "./bench/compat-speed.js";
import { buildDist } from "./bench/setting.js";
import { createScript, runAsProgram } from "./run-script.js";

export const run = createScript(
  {
    name: "bench:compat",
    summary:
      "Compares the verdicts of diff, and of jsoncompat, with known correct ones on pairs of schemas, and measures the speed of diff.",
    operands: "[pairs...]",
    options: [["--no-speed", "do not time diff on large schemas"]],
  },
  async ({ speed }, { stdout }, files) => {
    const pairs = readPairs(files.length > 0 ? files : DEFAULT_PAIR_FILES);
    const verdicts = checkPairs(pairs, ownJudge);
    stdout.write(formatVerdicts([verdicts, checkPairs(pairs, createJsoncompatJudge())]));
    if (speed === true) {
      buildDist();
      const folder = createTempFolder();
      try {
        for (const line of timeDiffs(folder.path)) stdout.write(line);
      } finally {
        folder.remove();
      }
    }
    return isGreen(verdicts) ? EXIT.ok : EXIT.findings;
  },
);

await runAsProgram(import.meta.url, run);
