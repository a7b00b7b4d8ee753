import { join } from "node:path";
import { isJsonObject } from "../../../src/json/value.js";
import { HOME } from "../../home.js";
import type { Bench } from "../bench.js";
import { script } from "../commands.js";
import type { BenchRow, Measurement } from "../row.js";
import type { ProgramRun } from "../run-program.js";

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
    script(bench, "peers/validator.py", name, join(HOME, "schema"), records),
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

/** Records per second: both programs time themselves, so that starting and reading do not count. */
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
