import { createReadStream } from "node:fs";
import { extname, join } from "node:path";
import { REPO_ROOT } from "../run-script.js";
import type { Bench, Racer } from "./bench.js";
import type { InputId } from "./input-branches.js";

/** Export time in the provenance; the peer writes the same one. */
const EXPORTED_AT_MS = "1700000000000";

const CLI = join(REPO_ROOT, "dist/bin/main.js");
const WORKERS = ["--workers", "2"];

/** The built `export` to Layer 2, without an evaluation set. */
export function exportWire(bench: Bench, input: InputId): Racer {
  return (outputs) => ({
    argv: [
      ...exportArguments(bench.input(input), outputs),
      ...["--target", "wire", "--exported-at-ms", EXPORTED_AT_MS, "--allow-missing-g3"],
    ],
  });
}

/** The built `export` to Layer 3, which leaves out rollouts that overlap the evaluation set. */
export function exportTraining(bench: Bench, input: InputId): Racer {
  return (outputs) => ({
    argv: [
      ...exportArguments(bench.input(input), outputs),
      ...["--target", "training", "--eval-items", bench.input("eval-items"), "--drop-contaminated"],
    ],
  });
}

function exportArguments(input: string, outputs: string): [command: string, ...args: string[]] {
  const files = ["dpo", "ppo"].flatMap((kind) => [
    `--output-${kind}`,
    join(outputs, `${kind}.jsonl`),
  ]);
  return [process.execPath, CLI, "export", "--input", input, ...files, ...WORKERS];
}

/** The built `validate`. */
export function validate(bench: Bench, input: InputId): Racer {
  return () => ({ argv: [process.execPath, CLI, "validate", ...WORKERS, bench.input(input)] });
}

/** `check` of this repository, as its developers run it. */
export function check(): Racer {
  return () => ({ argv: ["npm", "run", "--silent", "--prefix", REPO_ROOT, "cli", "--", "check"] });
}

/** A script of this folder, by its path in it: a Node script or, with `.py`, a Python script. */
export function script(bench: Bench, path: string, ...args: string[]): Racer {
  const command = extname(path) === ".py" ? bench.python : process.execPath;
  const argv = [command, join(REPO_ROOT, "scripts/bench", path), ...args] as const;
  return () => ({ argv, env: { PYTHONPATH: join(REPO_ROOT, "generated/python") } });
}

/** The same for a script that writes: its last argument is the output folder. */
export function writingScript(bench: Bench, path: string, ...args: string[]): Racer {
  return (outputs) => script(bench, path, ...args, outputs)(outputs);
}

const FILES = ["dpo.jsonl", "ppo.jsonl"];

/** Throws if the two sides of the latest race wrote different numbers of records, or none. */
export async function requireSameRecords(bench: Bench): Promise<void> {
  for (const file of FILES) {
    const ours = await countLines(join(bench.outputs(0), file));
    const theirs = await countLines(join(bench.outputs(1), file));
    if (ours === 0 || ours !== theirs) {
      throw new Error(`${file} holds ${ours} records of ours and ${theirs} of the peer`);
    }
  }
}

async function countLines(path: string): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(path, "latin1")) {
    count += String(chunk).split("\n").length - 1;
  }
  return count;
}
