import { check as checkCommand, script } from "../programs.js";
import { type BenchRow, growth } from "../row.js";

/** Seconds on two cores: nobody runs a slower check before every commit. */
const CHECK_SECONDS = 20;

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
        bar: { atMost: CHECK_SECONDS },
        figures: "wall time, the start of npm included",
      },
    ];
  },
};

/** "Seconds" as a number. */
const G3_SECONDS = 10;
/** Twice the input, with a tenth of tolerance for noise and caches. */
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
        bar: { atMost: G3_SECONDS },
        figures: "wall time of the process",
      },
      growth(times, LINEAR, { label: "twice the tasks and items" }),
    ];
  },
};
