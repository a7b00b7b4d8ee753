import { script } from "../commands.js";
import type { BenchRow } from "../row.js";
import { growth } from "../speed.js";

/** "Seconds" as a number. */
const MOST_SECONDS = 10;
/** Twice the input, and a tenth for what noise and caches cost. */
const LINEAR = { atMost: 2.2 };

export const g3: BenchRow = {
  id: "g3",
  what: "G3 alone, tasks against evaluation items",
  peer: undefined,
  inputs: ["tasks", "eval-items", "tasks-half", "eval-items-half"],
  async run(bench) {
    const half = script(
      bench,
      "programs/g3.mjs",
      bench.input("tasks-half"),
      bench.input("eval-items-half"),
    );
    const full = script(bench, "programs/g3.mjs", bench.input("tasks"), bench.input("eval-items"));
    const times = await bench.raceTimes(half, full);
    const [, seconds] = times;
    return [
      {
        label: "both files read and compared",
        value: seconds,
        unit: "s",
        bar: { atMost: MOST_SECONDS },
        figures: "wall time of the process",
      },
      growth(times, LINEAR, { label: "twice the tasks and items" }),
    ];
  },
};
