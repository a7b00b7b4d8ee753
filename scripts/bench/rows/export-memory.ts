import { exportWire } from "../commands.js";
import type { BenchRow } from "../row.js";

/** Megabytes, the larger input no more than the smaller one: memory does not grow with the file. */
const MOST = 512;

export const exportMemory: BenchRow = {
  id: "export-memory",
  what: "peak memory of export to Layer 2, 2 workers",
  peer: undefined,
  inputs: ["rollouts-shuffled", "rollouts-4x-shuffled"],
  async run(bench) {
    const peak = async (input: "rollouts-shuffled" | "rollouts-4x-shuffled", label: string) => ({
      label,
      value: (await bench.peakBytes(exportWire(bench, input))) / 1e6,
      unit: "MB" as const,
      bar: { atMost: MOST },
      figures: "one run",
    });
    return [
      await peak("rollouts-shuffled", "shuffled"),
      await peak("rollouts-4x-shuffled", "shuffled, 4 times the input"),
    ];
  },
};
