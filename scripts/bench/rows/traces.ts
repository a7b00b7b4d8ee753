import { traceKinds } from "../../../src/capture/trace/kinds.js";
import { isJsonObject } from "../../../src/json/value.js";
import { formatBytes } from "../../../src/text.js";
import type { Bench } from "../bench.js";
import { script } from "../commands.js";
import type { BenchRow, Measurement } from "../row.js";
import type { ProgramRun } from "../run-program.js";

/** No bar: what traces cost is why they are off by default. */
export const traces: BenchRow = {
  id: "traces",
  what: "branches of 20 steps, traced, time against untraced",
  peer: undefined,
  inputs: [],
  async run(bench) {
    const measurements: Measurement[] = [];
    for (const kind of Object.keys(traceKinds)) measurements.push(await measure(bench, kind));
    return measurements;
  },
};

async function measure(bench: Bench, kind: string): Promise<Measurement> {
  const [on, off] = await bench.race(
    script(bench, "programs/traces.mjs", kind, "on"),
    script(bench, "programs/traces.mjs", kind, "off"),
  );
  const [traced, untraced] = [best(on), best(off)];
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
  /** Of one branch. */
  readonly seconds: number;
  readonly bytes: number;
}

/** The programs time themselves, so that starting does not count. */
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
