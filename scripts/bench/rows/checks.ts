import { bestTimes, type Racer } from "../bench.js";
import { npmScript, script } from "../programs.js";
import { type BenchRow, growth } from "../row.js";

/** A script of package.json, whose wall time has a bar. */
function scriptRow(id: string, what: string, racer: Racer, most: number): BenchRow {
  return {
    id,
    what,
    inputs: [],
    async run(bench) {
      const { seconds, cpuSeconds } = bestTimes(await bench.race([racer]), racer);
      const figures = "wall time, the start of npm included";
      return [
        { value: seconds, unit: "s", bar: { atMost: most }, figures, cpuSeconds: [cpuSeconds] },
      ];
    },
  };
}

/** Nobody runs a slower check before every commit. */
export const check = scriptRow(
  "check",
  "check of this repository, from its sources",
  npmScript("cli", "check"),
  15,
);

/** It is the first thing that a newcomer waits for. */
export const start = scriptRow(
  "start",
  "npm start, on the sample of this repository",
  npmScript("start"),
  3,
);

/** "Seconds" as a number. */
const G3_SECONDS = 10;
/** Twice the input, with a tenth of tolerance for noise and caches. */
const LINEAR = { atMost: 2.2 };

export const g3: BenchRow = {
  id: "g3",
  what: "G3 alone, tasks against evaluation items",
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
    const [, { seconds, cpuSeconds }] = times;
    return [
      {
        label: "both files read and compared",
        value: seconds,
        unit: "s",
        bar: { atMost: G3_SECONDS },
        figures: "wall time of the process",
        cpuSeconds: [cpuSeconds],
      },
      growth(times, LINEAR, { label: "twice the tasks and items" }),
    ];
  },
};
