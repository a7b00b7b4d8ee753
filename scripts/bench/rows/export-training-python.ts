import { exportTraining, writingScript } from "../commands.js";
import { requireSameRecords } from "../require-same-records.js";
import type { BenchRow } from "../row.js";
import { speed } from "../speed.js";

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
