import { DEV_TOOLS, ensurePythonEnv } from "../conformance/python-env.js";
import { createTempFolder } from "../src/files/temp.js";
import { EXIT } from "../src/user-error.js";
import { Bench } from "./bench/bench.js";
import { createJsonReporter, createTextReporter } from "./bench/report.js";
import { inputsOf, runRows } from "./bench/run-rows.js";
import {
  benchOptions,
  buildDist,
  describeSetting,
  planDisk,
  readBenchOptions,
  requireDisk,
} from "./bench/setting.js";
import { HOME, runScript } from "./run-script.js";

await runScript(
  {
    name: "bench",
    summary: "Measures speed and memory against peers and bars, in one run on this machine.",
    options: benchOptions,
  },
  async (values, { stdout }) => {
    const { rows, branches, runs, format } = readBenchOptions(values);
    const reporter = format === "json" ? createJsonReporter(stdout) : createTextReporter(stdout);
    const folder = createTempFolder();
    try {
      const python = ensurePythonEnv(HOME, DEV_TOOLS);
      const disk = planDisk(folder.path, inputsOf(rows), branches);
      const setting = describeSetting(python);
      reporter.begin({ ...setting, branches, runs, folder: folder.path, disk });
      requireDisk(disk, folder.path);
      buildDist();
      await runRows(rows, new Bench({ folder: folder.path, branches, runs, python }), reporter);
      return EXIT.ok;
    } finally {
      folder.remove();
    }
  },
);
