import { join } from "node:path";
import { isJsonObject } from "../../../src/json/value.js";
import { REPO_ROOT } from "../../run-script.js";
import type { Bench, ProgramRun } from "../bench.js";
import { script, validate } from "../programs.js";
import { type BenchRow, type Measurement, speed } from "../row.js";

export const validateJson: BenchRow = {
  id: "validate-json",
  what: "validate, 2 workers",
  peer: "JSON.parse, Node, 1 core",
  inputs: ["rollouts"],
  async run(bench) {
    const peer = script(bench, "peers/json.mjs", "parse", bench.input("rollouts"));
    return [speed(await bench.raceTimes(validate(bench, "rollouts"), peer), { atLeast: 1 })];
  },
};

const PACKAGES = ["jsonschema", "fastjsonschema", "jsonschema-rs"];

export const validator: BenchRow = {
  id: "validator",
  what: "Ajv validator, records in memory, 1 core",
  peer: "validators for Python",
  inputs: ["sample"],
  async run(bench) {
    const measurements: Measurement[] = [];
    for (const name of PACKAGES) measurements.push(await measure(bench, name));
    return measurements;
  },
};

async function measure(bench: Bench, name: string): Promise<Measurement> {
  const records = bench.input("sample");
  const [ours, theirs] = await bench.race(
    script(bench, "programs/validator.mjs", records),
    script(bench, "peers/validator.py", name, join(REPO_ROOT, "schema"), records),
  );
  const rates = [bestRate(ours), bestRate(theirs)] as const;
  return {
    peer: `${name} for Python`,
    value: rates[0] / rates[1],
    unit: "x",
    bar: { atLeast: 1 },
    figures: rates.map((rate) => `${Math.round(rate).toLocaleString("en-US")}/s`).join(" against "),
  };
}

/** Records per second. Both programs measure time themselves, so that start-up and reading do not count. */
function bestRate(runs: readonly ProgramRun[]): number {
  return Math.max(...runs.map(({ stdout }) => readRate(JSON.parse(stdout))));
}

function readRate(report: unknown): number {
  if (isJsonObject(report)) {
    const { records, seconds } = report;
    if (typeof records === "number" && typeof seconds === "number") return records / seconds;
  }
  throw new TypeError(`not a report of a validator: ${JSON.stringify(report)}`);
}

export const pythonRecords: BenchRow = {
  id: "python-records",
  what: "generated Python package",
  peer: "pydantic v2, models of the same fields",
  inputs: ["sample"],
  async run(bench) {
    // The script alternates between both sides itself, in one process.
    const { stdout } = await bench.run(script(bench, "python_records.py", bench.input("sample")));
    const lines = stdout.trimEnd().split("\n");
    return lines.map((line) => toMeasurement(JSON.parse(line)));
  },
};

/** Only `load_rollouts` has a bar; the other rows show where its time is spent. */
function toMeasurement(report: unknown): Measurement {
  if (isJsonObject(report)) {
    const { what, peer, seconds, peerSeconds } = report;
    if (typeof what === "string" && typeof peer === "string") {
      const bar = what.startsWith("load_rollouts") ? { atLeast: 1 } : undefined;
      return speed([Number(seconds), Number(peerSeconds)], bar, { label: what, peer });
    }
  }
  throw new TypeError(`not a comparison: ${JSON.stringify(report)}`);
}
