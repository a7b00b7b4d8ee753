import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildProgram } from "../../../../src/base/testing/build-program.js";
import { type Ending, runProgram } from "../../../../src/base/testing/run-program.js";

/** Runs the program in a folder. */
export async function runHere(folder: string, argv: readonly string[]): Promise<Ending> {
  const { main } = buildProgram();
  return await runProgram(argv, { cwd: folder, env: { TMPDIR: folder }, main });
}

/** What an export of one machine wrote. */
export interface Dataset {
  /** The records of each kind, one after the other. */
  readonly records: Readonly<Record<string, string>>;
  readonly manifest: Readonly<Record<string, unknown>>;
}

export interface ShardedExport {
  readonly shards?: number;
  /** An evaluation set, which is indexed together with the tasks of all shards. */
  readonly evalItems?: string;
  /** Other flags of the index. */
  readonly indexFlags?: readonly string[];
}

/** Partitions inputs, exports the shards, and merges them into `<folder>/<name>`. Throws if one of the commands fails. */
export async function exportHere(
  folder: string,
  name: string,
  inputs: readonly string[],
  flags: readonly string[],
  { shards = 3, evalItems, indexFlags = [] }: ShardedExport = {},
): Promise<Dataset> {
  const parts = join(name, "shards");
  mkdirSync(join(folder, name));
  const run = async (argv: readonly string[]): Promise<void> => {
    const { exitCode, stdout, stderr } = await runHere(folder, argv);
    if (exitCode !== 0) throw new Error(`${argv.join(" ")}: ${stdout}${stderr}`);
  };
  await run([
    "shard",
    "split",
    "--input",
    ...inputs,
    "--shards",
    String(shards),
    "--output",
    parts,
  ]);
  const gate: string[] = [];
  if (evalItems !== undefined) {
    const index = join(name, "eval.index");
    const skip = flags.filter((flag) => flag === "--skip-invalid");
    const items = ["--eval-items", evalItems, "--input", parts, "--output", index];
    await run(["shard", "index", ...items, ...skip, ...indexFlags]);
    gate.push("--eval-index", index);
  }
  const outputs: string[] = [];
  for (let shard = 1; shard <= shards; shard += 1) {
    const output = join(name, `out-${shard}`);
    outputs.push(output);
    const own = ["--input", parts, "--shard", `${shard}/${shards}`, "--output-dir", output];
    await run(["export", ...own, ...gate, ...flags]);
  }
  await run(["shard", "join", ...outputs, "--output", join(name, "merged")]);
  return readDataset(join(folder, name, "merged"));
}

/** Reads a dataset folder that Spark or one machine wrote. */
export function readDataset(folder: string): Dataset {
  const kinds = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  const records = Object.fromEntries(kinds.map((kind) => [kind, readLines(join(folder, kind))]));
  return { records, manifest: JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) };
}

/** The lines in the files of a folder, in the order of their names. */
export function readLines(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

/** The records in the files of a folder. */
export function readRecords(folder: string): Record<string, unknown>[] {
  const lines = readLines(folder).split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** A manifest without what depends on how its records are stored. */
export function withoutFiles({ manifest }: Dataset): object {
  const { outputs: _, inputs, descriptions: __, ...rest } = manifest;
  const sizes = Array.isArray(inputs) ? inputs.map(({ bytes, sha256 }) => ({ bytes, sha256 })) : [];
  return { ...rest, inputs: sizes };
}
