import { isJsonObject } from "../../../src/base/json/value.js";
import { formatBytes } from "../../../src/base/text.js";
import { traceKinds } from "../../../src/rollouts/capture/trace/kinds.js";
import { type Bench, type ProgramRun, type Racer, runsOf } from "../bench.js";
import { script, writingScript } from "../programs.js";
import type { BenchRow, Measurement, Sides } from "../row.js";

/** The duration of an action that calls another service, in milliseconds: much less than a model needs. */
const ACTION_MS = 50;
/** No slowdown, with a tenth of tolerance for timers and noise. */
const UNCHANGED = { atMost: 1.1 };

export const elizaLatency: BenchRow = {
  id: "eliza-latency",
  what: "an elizaOS action, p99, the sink down",
  peer: "without the plugin",
  inputs: [],
  async run(bench) {
    return [
      await measureLatency(bench, "refused", ACTION_MS, UNCHANGED),
      await measureLatency(bench, "hanging", ACTION_MS, UNCHANGED),
      await measureLatency(bench, "refused", 0, undefined),
    ];
  },
};

async function measureLatency(
  bench: Bench,
  sink: "refused" | "hanging",
  ms: number,
  bar: Measurement["bar"],
): Promise<Measurement> {
  const racer = (plugin: string) =>
    writingScript(bench, "programs/action-latency.mjs", plugin, String(ms));
  const [ours, theirs] = await raceOf(bench, racer(sink), racer("none"), leastP99);
  const work = ms === 0 ? "that does nothing" : `of ${ms} ms`;
  return {
    label: `${work}, ${sink}`,
    value: ours / theirs,
    unit: "x",
    bar,
    figures: `${ours.toFixed(3)} ms against ${theirs.toFixed(3)} ms`,
  };
}

/** What the runs of two programs report, which measure themselves. */
async function raceOf<T>(
  bench: Bench,
  first: Racer,
  second: Racer,
  read: (runs: readonly ProgramRun[]) => T,
): Promise<Sides<T>> {
  const runs = await bench.race([first, second]);
  return [read(runsOf(runs, first)), read(runsOf(runs, second))];
}

/** Milliseconds, in the best run. */
function leastP99(runs: readonly ProgramRun[]): number {
  return Math.min(...runs.map(({ stdout }) => readP99(JSON.parse(stdout))));
}

function readP99(report: unknown): number {
  if (isJsonObject(report) && typeof report.p99 === "number") return report.p99;
  throw new TypeError(`not a report of latencies: ${JSON.stringify(report)}`);
}

/** No bar: the cost of traces is the reason why they are off by default. */
export const traces: BenchRow = {
  id: "traces",
  what: "branches of 20 steps, traced, time against untraced",
  peer: undefined,
  inputs: [],
  async run(bench) {
    const measurements: Measurement[] = [];
    for (const kind of Object.keys(traceKinds)) measurements.push(await measureTraces(bench, kind));
    return measurements;
  },
};

async function measureTraces(bench: Bench, kind: string): Promise<Measurement> {
  const [traced, untraced] = await raceOf(
    bench,
    script(bench, "programs/traces.mjs", kind, "on"),
    script(bench, "programs/traces.mjs", kind, "off"),
    best,
  );
  const figures = [traced, untraced]
    .map(({ seconds, bytes }) => `${(1e6 * seconds).toFixed(0)} us and ${formatBytes(bytes)}`)
    .join(" against ");
  return {
    label: kind,
    value: traced.seconds / untraced.seconds,
    unit: "x",
    bar: undefined,
    figures: `${figures} a branch`,
  };
}

interface Cost {
  /** Per branch. */
  readonly seconds: number;
  readonly bytes: number;
}

/** The programs measure time themselves, so that start-up does not count. */
function best(runs: readonly ProgramRun[]): Cost {
  const costs = runs.map(({ stdout }) => readCost(JSON.parse(stdout)));
  const seconds = Math.min(...costs.map((cost) => cost.seconds));
  return { seconds, bytes: costs[0]?.bytes ?? 0 };
}

function readCost(report: unknown): Cost {
  if (isJsonObject(report)) {
    const { records, bytes, seconds } = report;
    if (typeof records === "number" && typeof bytes === "number" && typeof seconds === "number") {
      return { seconds: seconds / records, bytes: Math.round(bytes / records) };
    }
  }
  throw new TypeError(`not a report of traces: ${JSON.stringify(report)}`);
}
