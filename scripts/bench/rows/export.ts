import { join } from "node:path";
import { REPO_ROOT } from "../../run-script.js";
import {
  exportTraining,
  exportWire,
  requireSameRecords,
  script,
  writingScript,
} from "../programs.js";
import { type BenchRow, growth, speed } from "../row.js";

/** Four times the input, with a tenth of tolerance for noise and caches. */
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

/**
 * Megabytes; the larger input may not need more than the smaller one, because memory does not grow with the
 * file.
 */
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

export const exportTrainingPython: BenchRow = {
  id: "export-training-python",
  what: "export to Layer 3 with G3, validated, 2 workers",
  peer: "Python script without validation",
  inputs: ["rollouts", "eval-items"],
  async run(bench) {
    const ours = exportTraining(bench, "rollouts");
    const python = (...args: string[]) =>
      writingScript(bench, "peers/export_records.py", ...args, bench.input("rollouts"));
    const layer2 = await bench.raceTimes(ours, python("--layer", "2"));
    const layer3 = await bench.raceTimes(
      ours,
      python("--layer", "3", "--eval-items", bench.input("eval-items")),
    );
    await requireSameRecords(bench);
    return [
      speed(layer3, { atLeast: 3 }, { peer: "Python script, Layer 3 with G3 by a set of n-grams" }),
      speed(layer2, undefined, { peer: "Python script, Layer 2 without G3" }),
    ];
  },
};

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

const PARSE = "peers/json.mjs";

/** No bar: shows the maximum gain from two threads on this machine. */
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
        join(REPO_ROOT, "scripts/bench", PARSE),
        "parse",
        input,
      ),
      script(bench, PARSE, "parse", input),
    );
    const figures = `${both.toFixed(2)} s for twice the work of ${one.toFixed(2)} s`;
    return [{ value: (2 * one) / both, unit: "x", bar: undefined, figures }];
  },
};
