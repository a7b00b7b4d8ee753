import { isJsonObject } from "../../../src/json/value.js";
import type { Bench } from "../bench.js";
import { writingScript } from "../commands.js";
import type { BenchRow, Measurement } from "../row.js";
import type { ProgramRun } from "../run-program.js";

/** As long as an action takes that asks another service, and much less than a model needs; in milliseconds. */
const ACTION_MS = 50;
/** No change, and a tenth for what timers and noise do. */
const UNCHANGED = { atMost: 1.1 };

export const elizaLatency: BenchRow = {
  id: "eliza-latency",
  what: "an elizaOS action, p99, the sink down",
  peer: "without the plugin",
  inputs: [],
  async run(bench) {
    return [
      await measure(bench, "refused", ACTION_MS, UNCHANGED),
      await measure(bench, "hanging", ACTION_MS, UNCHANGED),
      await measure(bench, "refused", 0, undefined),
    ];
  },
};

async function measure(
  bench: Bench,
  sink: "refused" | "hanging",
  ms: number,
  bar: Measurement["bar"],
): Promise<Measurement> {
  const racer = (plugin: string) =>
    writingScript(bench, "programs/action-latency.mjs", plugin, String(ms));
  const [ours, theirs] = (await bench.race(racer(sink), racer("none"))).map(leastP99);
  if (ours === undefined || theirs === undefined) throw new TypeError("a race has two sides");
  const work = ms === 0 ? "that does nothing" : `of ${ms} ms`;
  return {
    label: `${work}, ${sink}`,
    value: ours / theirs,
    unit: "x",
    bar,
    figures: `${ours.toFixed(3)} ms against ${theirs.toFixed(3)} ms`,
  };
}

/** Milliseconds, of the best run. */
function leastP99(runs: readonly ProgramRun[]): number {
  return Math.min(...runs.map(({ stdout }) => readP99(JSON.parse(stdout))));
}

function readP99(report: unknown): number {
  if (isJsonObject(report) && typeof report.p99 === "number") return report.p99;
  throw new TypeError(`not a report of latencies: ${JSON.stringify(report)}`);
}
