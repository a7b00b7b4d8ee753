import { script, validate } from "../commands.js";
import type { BenchRow } from "../row.js";
import { speed } from "../speed.js";

export const validateJson: BenchRow = {
  id: "validate-json",
  what: "validate, 2 workers",
  peer: "JSON.parse, Node, 1 core",
  inputs: ["rollouts"],
  async run(bench) {
    const peer = script(bench, "peers/json.mjs", "parse", bench.input("rollouts"));
    return [speed(await bench.raceTimes(validate(bench, "rollouts"), peer), { atLeast: 1 })];
  },
};
