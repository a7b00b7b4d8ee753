import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { ensurePythonEnv, SPARK } from "../conformance/python-env.js";
import { createTempFolder } from "../src/base/files/temp.js";
import { formatBytes } from "../src/base/text.js";
import { EXIT, UserError } from "../src/base/user-error.js";
import { createBranch } from "./bench/input-branches.js";
import { createEvalItem } from "./bench/inputs.js";
import { buildDist } from "./bench/setting.js";
import { createScript, REPO_ROOT, runAsProgram } from "./run-script.js";

const DEFAULT_MEGABYTES = 100;
const FILES = 4;
const EVAL_ITEMS = 1000;
const EVAL_SET = ["--eval-items", "eval.jsonl"];
const DROP = "--drop-contaminated";
const TIME = ["--exported-at-ms", "0"];
const MAIN = join(REPO_ROOT, "dist/bin/main.js");

export const run = createScript(
  {
    name: "bench:spark",
    summary:
      "Exports one input on one machine and on Spark local[2], and compares times and records.",
    options: [
      ["--megabytes <n>", `size of the input, ${DEFAULT_MEGABYTES} by default`],
      ["--partitions <n>", "partitions of Spark, and shards of one machine, 8 by default"],
    ],
  },
  async ({ megabytes = DEFAULT_MEGABYTES, partitions = 8 }, { root, stdout }) => {
    const size = readCount("megabytes", megabytes) * 1e6;
    const count = readCount("partitions", partitions);
    const python = ensurePythonEnv(root, SPARK);
    buildDist();
    const folder = createTempFolder();
    try {
      const bytes = writeInputs(folder.path, size);
      const [load = 0] = loadavg();
      stdout.write(
        `${formatBytes(bytes)} in ${FILES} files, ${cpus().length} cores, load ${load.toFixed(1)} at the start\n`,
      );
      const time = (what: string, commands: readonly (readonly string[])[]): void => {
        const start = performance.now();
        for (const command of commands) execute(command, folder.path, python);
        const seconds = (performance.now() - start) / 1000;
        const speed = formatBytes(bytes / seconds);
        stdout.write(`${what.padEnd(44)} ${seconds.toFixed(1).padStart(8)} s  ${speed}/s\n`);
      };
      const whole = ["--input", "in", ...EVAL_SET, DROP, ...TIME, "--output-dir", "one"];
      time("export", [[process.execPath, MAIN, "export", ...whole]]);
      time(`partition, index, export --shard, merge (${count})`, toShards(count));
      time(`Spark local[2], ${count} partitions, with its start`, [toSpark(python, count)]);
      const [shards, spark] = [
        hashLines(join(folder.path, "merged/dpo")),
        hashLines(join(folder.path, "spark/dpo")),
      ];
      stdout.write(
        `dpo records of the shards and of Spark: ${shards === spark ? "equal" : "different"}\n`,
      );
      return shards === spark ? EXIT.ok : EXIT.findings;
    } finally {
      folder.remove();
    }
  },
);

function readCount(name: string, value: unknown): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new UserError(`--${name} must be a whole number from 1`, EXIT.usage);
}

/** Writes branches to several files, and an evaluation set. Returns the number of bytes. */
function writeInputs(folder: string, size: number): number {
  mkdirSync(join(folder, "in"));
  let bytes = 0;
  let index = 0;
  for (let file = 1; file <= FILES; file += 1) {
    const handle = openSync(join(folder, "in", `${file}.jsonl`), "w");
    while (bytes < (size * file) / FILES || index % 4 > 0) {
      const lines = Array.from({ length: 4 }, () => `${JSON.stringify(createBranch(index++))}\n`);
      bytes += writeSync(handle, lines.join(""));
    }
    closeSync(handle);
  }
  const items = Array.from({ length: EVAL_ITEMS }, (_, at) => JSON.stringify(createEvalItem(at)));
  writeFileSync(join(folder, "eval.jsonl"), `${items.join("\n")}\n`);
  return bytes;
}

function toShards(count: number): string[][] {
  const program = [process.execPath, MAIN];
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return [
    [...program, "partition", "--input", "in", "--shards", String(count), "--output", "shards"],
    [
      ...[...program, "decontaminate", "index", ...EVAL_SET],
      ...["--input", "shards", "--output", "eval.index"],
    ],
    ...numbers.map((number) => [
      ...[...program, "export", "--input", "shards", "--shard", `${number}/${count}`],
      ...["--eval-index", "eval.index", DROP, ...TIME, "--output-dir", `out-${number}`],
    ]),
    [...program, "merge", ...numbers.map((number) => `out-${number}`), "--output", "merged"],
  ];
}

function toSpark(python: string, count: number): string[] {
  const settings = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
  };
  return [
    ...[join(python, "../spark-submit"), "--master", "local[2]", "--driver-memory", "1g"],
    ...Object.entries(settings).flatMap(([name, value]) => ["--conf", `${name}=${value}`]),
    join(REPO_ROOT, "integrations/spark/rollout_wire_spark/submit.py"),
    ...["export", "--input", "in", "--output", "spark", ...EVAL_SET],
    ...[DROP, ...TIME, "--partitions", String(count)],
  ];
}

function execute([program = "", ...args]: readonly string[], cwd: string, python: string): void {
  const { error, status, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: {
      ...process.env,
      TMPDIR: cwd,
      SPARK_LOCAL_DIRS: cwd,
      PYTHONPATH: join(REPO_ROOT, "integrations/spark"),
      PYSPARK_PYTHON: python,
      PYSPARK_DRIVER_PYTHON: python,
      ROLLOUT_WIRE_NODE: process.execPath,
      ROLLOUT_WIRE_PROGRAM: MAIN,
    },
  });
  if (status === 0) return;
  throw new UserError(`${program} failed: ${error?.message ?? stderr.trim().split("\n").at(-1)}`);
}

/** A hash of the lines in the files of a folder, in the order of their names. */
function hashLines(folder: string): string {
  const hash = createHash("sha256");
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  for (const name of names.toSorted()) hash.update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

await runAsProgram(import.meta.url, run);
