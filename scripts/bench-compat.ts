import { createTempFolder } from "../src/files/temp.js";
import { EXIT } from "../src/user-error.js";
import { buildDist } from "./bench/build-dist.js";
import { formatJudgement } from "./bench/compat/format-judgement.js";
import { isGreen, judgePairs } from "./bench/compat/judge-pairs.js";
import { DEFAULT_PAIR_FILES, readPairs } from "./bench/compat/read-pairs.js";
import { timeDiffs } from "./bench/compat/time-diffs.js";
import { runScript } from "./run-script.js";

await runScript(
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
