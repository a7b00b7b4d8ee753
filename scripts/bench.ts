import { DEV_TOOLS, ensurePythonEnv } from "../conformance/python-env.js";
import { createTempFolder } from "../src/files/temp.js";
import { EXIT } from "../src/user-error.js";
import { Bench } from "./bench/bench.js";
import { buildDist } from "./bench/build-dist.js";
import { describeSetting } from "./bench/describe-setting.js";
import { planDisk, requireDisk } from "./bench/plan-disk.js";
import { benchOptions, readBenchOptions } from "./bench/read-bench-options.js";
import { createJsonReporter } from "./bench/reporters/create-json-reporter.js";
import { createTextReporter } from "./bench/reporters/create-text-reporter.js";
import { inputsOf, runRows } from "./bench/run-rows.js";
import { HOME } from "./home.js";
import { runScript } from "./run-script.js";

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
