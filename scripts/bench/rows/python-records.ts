import { isJsonObject } from "../../../src/json/value.js";
import { script } from "../commands.js";
import type { BenchRow, Measurement } from "../row.js";
import { speed } from "../speed.js";

export const pythonRecords: BenchRow = {
  id: "python-records",
  what: "generated Python package",
  peer: "pydantic v2, models of the same fields",
  inputs: ["sample"],
  async run(bench) {
    // It runs both sides in turn by itself, in one process.
    const { stdout } = await bench.run(script(bench, "python_records.py", bench.input("sample")));
    const lines = stdout.trimEnd().split("\n");
    return lines.map((line) => toMeasurement(JSON.parse(line)));
  },
};

/** Only `load_rollouts` has a bar; the other rows say where its time goes. */
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
