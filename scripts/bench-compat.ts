import { createTempFolder } from "../src/files/temp.js";
import { EXIT } from "../src/user-error.js";
import {
  DEFAULT_PAIR_FILES,
  formatJudgement,
  isGreen,
  judgePairs,
  readPairs,
  timeDiffs,
} from "./bench/compat.js";
import { buildDist } from "./bench/setting.js";
import { createScript, runAsProgram } from "./run-script.js";

export const run = createScript(
  {
    name: "bench:compat",
    summary:
      "Holds the verdicts of diff against pairs of schemas whose right ones are known, and measures its speed.",
    operands: "[pairs...]",
    options: [["--no-speed", "do not time diff on large schemas"]],
  },
  async ({ speed }, { stdout }, files) => {
    const judgement = judgePairs(readPairs(files.length > 0 ? files : DEFAULT_PAIR_FILES));
    stdout.write(formatJudgement(judgement));
    if (speed === true) {
      buildDist();
      const folder = createTempFolder();
      try {
        for (const line of timeDiffs(folder.path)) stdout.write(line);
      } finally {
        folder.remove();
      }
    }
    return isGreen(judgement) ? EXIT.ok : EXIT.findings;
  },
);

await runAsProgram(import.meta.url, run);
