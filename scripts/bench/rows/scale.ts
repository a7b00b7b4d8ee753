import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { listFiles } from "../../../src/base/files/folders.js";
import { shardName } from "../../../src/rollouts/pipeline/partition/manifest.js";
import type { Bench, Racer } from "../bench.js";
import { compete } from "../contest.js";
import { type InputId, SHAPES } from "../input-branches.js";
import { CLI, script, writingScript } from "../programs.js";
import { type BenchRow, memoryOf, programSpeed } from "../row.js";

const COUNT = 8;
const NAMES = Array.from({ length: COUNT }, (_, index) => `shards/${shardName(index + 1, COUNT)}`);

/** The built `shard split`, into `shards` of the output folder. */
function split(bench: Bench, input: InputId): Racer {
  return (outputs) => ({
    argv: [
      process.execPath,
      ...[CLI, "shard", "split", "--input", bench.input(input)],
      ...["--shards", `${COUNT}`, "--output", join(outputs, "shards")],
    ],
    writes: NAMES,
  });
}

export const shardSplit: BenchRow = {
  id: "shard-split",
  what: `shard split into ${COUNT} shards`,
  inputs: SHAPES,
  run: (bench) =>
    compete(bench, {
      ours: split,
      peers: [
        {
          name: "orjson + hashlib",
          speed: 1,
          racer(bench, input) {
            const path = "peers/partition_records.py";
            const racer = writingScript(bench, path, `${COUNT}`, bench.input(input));
            return (outputs) => ({ ...racer(outputs), writes: NAMES });
          },
        },
      ],
    }),
};

export const shardSplitMemory: BenchRow = {
  id: "shard-split-memory",
  what: "peak memory of shard split, shuffled",
  inputs: ["rollouts-4x-shuffled"],
  async run(bench) {
    return [await memoryOf(bench, split(bench, "rollouts-4x-shuffled"), 300)];
  },
};

/** Exports each shard of an input to a folder below `folder`. Returns the folders. */
function exportShards(bench: Bench, input: InputId, folder: string): readonly string[] {
  const run = (...argv: string[]): void => {
    execFileSync(process.execPath, [CLI, ...argv], { stdio: "ignore" });
  };
  const shards = join(folder, "shards");
  run("shard", "split", "--input", bench.input(input), "--shards", `${COUNT}`, "--output", shards);
  return NAMES.map((_, index) => {
    const shard = `${index + 1}/${COUNT}`;
    const output = join(folder, `${index + 1}`);
    const options = ["--allow-missing-g3", "--exported-at-ms", "0", "--target", "training"];
    run("export", "--input", shards, "--shard", shard, ...options, "--output-dir", output);
    return output;
  });
}

export const shardJoin: BenchRow = {
  id: "shard-join",
  what: `shard join of ${COUNT} shards of Layer 3`,
  inputs: ["rollouts"],
  async run(bench) {
    const folder = mkdtempSync(join(dirname(bench.input("rollouts")), "shards-"));
    try {
      const exported = exportShards(bench, "rollouts", folder);
      const ours: Racer = (outputs) => ({
        argv: [process.execPath, CLI, "shard", "join", ...exported, "-o", join(outputs, "merged")],
      });
      const files = exported.flatMap((path) =>
        listFiles(path)
          .filter((name) => name.endsWith(".jsonl"))
          .map((name) => join(path, name)),
      );
      const theirs: Racer = (outputs) =>
        script(bench, "peers/join_files.py", outputs, ...files)(outputs);
      const sides = await bench.raceTimes(ours, theirs);
      const peer = "copying and hashing in Python";
      return [programSpeed(sides, { atLeast: 1 }, { peer })];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
