import { createTempFolder } from "../src/base/files/temp.js";
import { EXIT } from "../src/base/user-error.js";
import { timeDiffs } from "./bench/compat-speed.js";
import { buildDist } from "./bench/setting.js";
import { createScript, runAsProgram } from "./run-script.js";

export const run = createScript(
  { name: "bench:compat", summary: "Times diff on large schemas.", options: [] },
  async (_options, { stdout }) => {
    buildDist();
    const folder = createTempFolder();
    try {
      for (const line of timeDiffs(folder.path)) stdout.write(line);
    } finally {
      folder.remove();
    }
    return EXIT.ok;
  },
);

await runAsProgram(import.meta.url, run);
