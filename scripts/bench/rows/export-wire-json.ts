import { exportWire, script } from "../commands.js";
import type { BenchRow } from "../row.js";
import { speed } from "../speed.js";

export const exportWireJson: BenchRow = {
  id: "export-wire-json",
  what: "export to Layer 2, validated, 2 workers",
  peer: "JSON.parse + JSON.stringify, Node, 1 core",
  inputs: ["rollouts"],
  async run(bench) {
    const peer = script(bench, "peers/json.mjs", "print", bench.input("rollouts"));
    return [speed(await bench.raceTimes(exportWire(bench, "rollouts"), peer), { atLeast: 1 })];
  },
};
