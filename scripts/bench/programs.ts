import { extname, join } from "node:path";
import { pythonPath } from "../../conformance/python-env.js";
import { REPO_ROOT } from "../run-script.js";
import type { Bench, Racer } from "./bench.js";
import type { InputId } from "./input-branches.js";
import type { NodeBinary } from "./node-binaries.js";

/** Export time in the provenance; the peer writes the same one. */
const EXPORTED_AT_MS = "1700000000000";

/** The built program. */
export const CLI = join(REPO_ROOT, "dist/bin/main.js");
const WORKERS = ["--workers", "2"];
const FILES = ["dpo.jsonl", "ppo.jsonl"];

/** What to export, for our program and for the script that does the same. */
export interface ExportWork {
  readonly target: "wire" | "training" | "trl";
  /** Whether to skip rollouts that overlap the evaluation set. */
  readonly g3?: boolean;
}

/** The built `export`. */
export function exportTo({ target, g3 = false }: ExportWork, bench: Bench, input: InputId): Racer {
  const evaluation = g3
    ? ["--eval-items", bench.input("eval-items"), "--skip", "contaminated"]
    : ["--allow-missing-g3"];
  const time = target === "wire" ? ["--exported-at-ms", EXPORTED_AT_MS] : [];
  const options = ["--target", target, ...time, ...evaluation, ...WORKERS];
  return (outputs) => ({
    argv: [
      process.execPath,
      ...[CLI, "export", "--input", bench.input(input), ...options],
      ...["--output-dpo", join(outputs, "dpo.jsonl")],
      ...["--output-ppo", join(outputs, "ppo.jsonl")],
    ],
    writes: FILES,
  });
}

/** The built `export` of Layer 2 to Parquet files. */
export function exportToParquet(bench: Bench, input: InputId): Racer {
  const options = ["--target", "wire", "--exported-at-ms", EXPORTED_AT_MS, "--allow-missing-g3"];
  return (outputs) => ({
    argv: [
      process.execPath,
      ...[CLI, "export", "--input", bench.input(input), ...options, ...WORKERS],
      ...["--output-dir", outputs, "--store", "parquet"],
    ],
  });
}

/** The Python script that writes the same with pyarrow. */
export function exportToParquetInPython(bench: Bench, input: InputId): Racer {
  const args = ["--json", "orjson", "--target", "wire", "--parquet", bench.input(input)];
  return writingScript(bench, "peers/export_records.py", ...args);
}

/** The Python script that does the same without validation. */
export function exportInPython(
  { target, g3 = false }: ExportWork,
  json: "json" | "orjson",
  bench: Bench,
  input: InputId,
): Racer {
  const items = g3 ? ["--eval-items", bench.input("eval-items")] : [];
  const args = ["--json", json, "--target", target, ...items, bench.input(input)];
  const racer = writingScript(bench, "peers/export_records.py", ...args);
  return (outputs) => ({ ...racer(outputs), writes: FILES });
}

/** The same for Layer 2 in SQL. */
export function exportInDuckdb(bench: Bench, input: InputId): Racer {
  const racer = writingScript(bench, "peers/export_duckdb.py", bench.input(input));
  return (outputs) => ({ ...racer(outputs), writes: FILES });
}

/** The built `validate`. */
export function validate(bench: Bench, input: InputId, ...options: string[]): Racer {
  return () => ({
    argv: [process.execPath, CLI, "validate", ...WORKERS, ...options, bench.input(input)],
  });
}

/** A program of Node that does nothing. */
export const emptyProgram: Racer = () => ({ argv: [process.execPath, "-e", "0"] });

/** A program of Node, run by the given version. */
export function onNode(node: NodeBinary, racer: Racer): Racer {
  return (outputs) => {
    const program = racer(outputs);
    const [, ...args] = program.argv;
    return { ...program, argv: [node.path, ...args] };
  };
}

/** A script of package.json in this repository, as its developers run it. */
export function npmScript(name: string, ...args: string[]): Racer {
  return () => ({ argv: ["npm", "run", "--silent", "--prefix", REPO_ROOT, name, "--", ...args] });
}

/** A script of this folder, by its path in it: a Node script or, with `.py`, a Python script. */
export function script(bench: Bench, path: string, ...args: string[]): Racer {
  const command = extname(path) === ".py" ? bench.python : process.execPath;
  const argv = [command, join(REPO_ROOT, "scripts/bench", path), ...args] as const;
  return () => ({ argv, env: { PYTHONPATH: pythonPath(REPO_ROOT) } });
}

/** The same for a script that writes: its last argument is the output folder. */
export function writingScript(bench: Bench, path: string, ...args: string[]): Racer {
  return (outputs) => script(bench, path, ...args, outputs)(outputs);
}
