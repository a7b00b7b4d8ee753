import { exportWire } from "../commands.js";
import type { BenchRow } from "../row.js";
import { growth } from "../speed.js";

/** Four times the input, and a tenth for what noise and caches cost. */
const BAR = { atMost: 4.4 };

export const exportGrowth: BenchRow = {
  id: "export-growth",
  what: "export to Layer 2, 4 times the input",
  peer: undefined,
  inputs: ["rollouts", "rollouts-4x", "rollouts-shuffled", "rollouts-4x-shuffled"],
  async run(bench) {
    const contiguous = await bench.raceTimes(
      exportWire(bench, "rollouts"),
      exportWire(bench, "rollouts-4x"),
    );
    const shuffled = await bench.raceTimes(
      exportWire(bench, "rollouts-shuffled"),
      exportWire(bench, "rollouts-4x-shuffled"),
    );
    return [
      growth(contiguous, BAR, { label: "contiguous" }),
      growth(shuffled, BAR, { label: "shuffled" }),
    ];
  },
};
