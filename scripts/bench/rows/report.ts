import { join } from "node:path";
import { REPO_ROOT } from "../../run-script.js";
import { ensureNpmPackages } from "../../testing/npm-packages.js";
import type { ProgramRun, Racer } from "../bench.js";
import type { BenchRow } from "../row.js";

/** Where the browser is installed. */
const BROWSER = join(REPO_ROOT, "conformance/interop/runtimes");
const PROGRAM = join(REPO_ROOT, "scripts/bench/programs/open-report.mjs");

interface Opened {
  readonly bytes: number;
  readonly paintMs: number;
  readonly openMs: number;
  readonly heapBytes: number;
}

export const report: BenchRow = {
  id: "report",
  what: "the report in Chromium",
  peer: undefined,
  inputs: ["report"],
  async run(bench) {
    ensureNpmPackages(BROWSER);
    const racer: Racer = (outputs) => ({
      argv: [
        process.execPath,
        "--import",
        import.meta.resolve("tsx"),
        PROGRAM,
        bench.input("report"),
        outputs,
      ],
    });
    const runs = [...(await bench.race([racer])).values()].flat();
    const best = (name: keyof Opened): number =>
      runs.reduce((least, run) => Math.min(least, readOpened(run)[name]), Number.POSITIVE_INFINITY);
    const figures = "best of its runs";
    return [
      {
        ...{ label: "size of the page", value: best("bytes") / 1e6, unit: "MB" },
        ...{ bar: { atMost: 20 }, figures },
      },
      {
        ...{ label: "first paint", value: best("paintMs"), unit: "ms" },
        ...{ bar: { atMost: 1000 }, figures },
      },
      {
        ...{ label: "opening a rollout", value: best("openMs"), unit: "ms" },
        ...{ bar: { atMost: 100 }, figures: "the slowest of five, in the best run" },
      },
      {
        ...{ label: "heap", value: best("heapBytes") / 1e6, unit: "MB" },
        ...{ bar: { atMost: 300 }, figures },
      },
    ];
  },
};

function readOpened({ stdout }: ProgramRun): Opened {
  return JSON.parse(stdout);
}
