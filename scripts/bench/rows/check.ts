import { check as checkCommand } from "../commands.js";
import type { BenchRow } from "../row.js";

/** Seconds on two cores: nobody runs before every commit what takes longer. */
const MOST_SECONDS = 20;

export const check: BenchRow = {
  id: "check",
  what: "check of this repository, from its sources",
  peer: undefined,
  inputs: [],
  async run(bench) {
    return [
      {
        value: await bench.time(checkCommand()),
        unit: "s",
        bar: { atMost: MOST_SECONDS },
        figures: "wall time, the start of npm included",
      },
    ];
  },
};
