import { DEV_TOOLS, ensurePythonEnv } from "../conformance/python-env.js";
import { createTempFolder } from "../src/base/files/temp.js";
import { EXIT } from "../src/base/user-error.js";
import { Bench, type BenchOptions } from "./bench/bench.js";
import { type InputId, inputKinds } from "./bench/input-branches.js";
import { ensureNode, type NodeBinary } from "./bench/node-binaries.js";
import { createJsonReporter, createTextReporter, type RowResult } from "./bench/report.js";
import {
  benchOptions,
  buildDist,
  describeSetting,
  planDisk,
  readBenchOptions,
  requireDisk,
} from "./bench/setting.js";
import { createScript, runAsProgram, type Script } from "./run-script.js";

/** The slow steps before a benchmark, and the measurement itself; replaced in tests. */
export interface BenchTools {
  /** Path of the Python that has the peers' packages. */
  ensurePython(root: string): string;
  /** A version of Node, installed. */
  ensureNode(root: string, version: string): NodeBinary;
  /** Builds the program that is measured. */
  build(): void;
  createBench(options: BenchOptions): Bench;
}

const TOOLS: BenchTools = {
  ensurePython: (root) => ensurePythonEnv(root, DEV_TOOLS),
  ensureNode,
  build: buildDist,
  createBench: (options) => new Bench(options),
};

export function createBenchScript(tools: BenchTools): Script {
  return createScript(
    {
      name: "bench",
      summary: "Measures speed and memory against peers and bars, in one run on this machine.",
      options: benchOptions,
    },
    async (values, { root, stdout }) => {
      const { rows, branches, runs, format, ...request } = readBenchOptions(values);
      const reporter = format === "json" ? createJsonReporter(stdout) : createTextReporter(stdout);
      const folder = createTempFolder();
      try {
        const python = tools.ensurePython(root);
        const nodes = request.nodes.map((version) => tools.ensureNode(root, version));
        const inputs: InputId[] = [...new Set(rows.flatMap((row) => row.inputs))];
        const disk = planDisk(folder.path, inputs, branches);
        const setting = describeSetting(root, python, nodes);
        reporter.begin({ ...setting, branches, runs, folder: folder.path, disk });
        requireDisk(disk, folder.path);
        tools.build();
        const bench = tools.createBench({ folder: folder.path, branches, runs, python, nodes });
        reporter.inputs(
          inputs.map((id) => ({ id, what: inputKinds[id].what, ...bench.writeInput(id) })),
        );
        const results: RowResult[] = [];
        for (const row of rows) {
          for (const measurement of await row.run(bench)) {
            results.push({ row, measurement });
            reporter.measured({ row, measurement });
          }
        }
        reporter.end(results);
        return EXIT.ok;
      } finally {
        folder.remove();
      }
    },
  );
}

export const run = createBenchScript(TOOLS);

await runAsProgram(import.meta.url, run);
