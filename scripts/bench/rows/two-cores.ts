import { join } from "node:path";
import { HOME } from "../../home.js";
import { script } from "../commands.js";
import type { BenchRow } from "../row.js";

const PARSE = "peers/json.mjs";

/** No bar: it tells how far two threads can get on this machine, whatever they do. */
export const twoCores: BenchRow = {
  id: "two-cores",
  what: "JSON.parse, two processes at a time",
  peer: "one alone",
  inputs: ["rollouts"],
  async run(bench) {
    const input = bench.input("rollouts");
    const [both, one] = await bench.raceTimes(
      script(
        bench,
        "programs/side-by-side.mjs",
        join(HOME, "scripts/bench", PARSE),
        "parse",
        input,
      ),
      script(bench, PARSE, "parse", input),
    );
    const figures = `${both.toFixed(2)} s for twice the work of ${one.toFixed(2)} s`;
    return [{ value: (2 * one) / both, unit: "x", bar: undefined, figures }];
  },
};
