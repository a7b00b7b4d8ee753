import { createTempFolder } from "../src/files/temp.js";
import { EXIT } from "../src/user-error.js";
import {
  checkPairs,
  DEFAULT_PAIR_FILES,
  formatVerdicts,
  isGreen,
  readPairs,
  timeDiffs,
} from "./bench/compat.js";
import { buildDist } from "./bench/setting.js";
import { createScript, runAsProgram } from "./run-script.js";

export const run = createScript(
  {
    name: "bench:compat",
    summary:
      "Compares the verdicts of diff with known correct ones on pairs of schemas, and measures its speed.",
    operands: "[pairs...]",
    options: [["--no-speed", "do not time diff on large schemas"]],
  },
  async ({ speed }, { stdout }, files) => {
    const verdicts = checkPairs(readPairs(files.length > 0 ? files : DEFAULT_PAIR_FILES));
    stdout.write(formatVerdicts(verdicts));
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
