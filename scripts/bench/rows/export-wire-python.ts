import { exportWire, writingScript } from "../commands.js";
import { requireSameRecords } from "../require-same-records.js";
import type { BenchRow } from "../row.js";
import { speed } from "../speed.js";

export const exportWirePython: BenchRow = {
  id: "export-wire-python",
  what: "export to Layer 2, validated, 2 workers",
  peer: "Python script without validation",
  inputs: ["rollouts"],
  async run(bench) {
    const input = bench.input("rollouts");
    const peer = writingScript(bench, "peers/export_records.py", "--layer", "2", input);
    const times = await bench.raceTimes(exportWire(bench, "rollouts"), peer);
    await requireSameRecords(bench);
    return [speed(times, { atLeast: 4 })];
  },
};
