import { execFileSync, spawnSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { packageVersion } from "../../src/base/package.js";
import { formatBytes } from "../../src/base/text.js";
import { EXIT, UserError } from "../../src/base/user-error.js";
import { OptionValues } from "../../src/cli/command.js";
import { REPO_ROOT } from "../run-script.js";
import { type InputId, inputKinds } from "./input-branches.js";
import { BRANCHES_PER_ROLLOUT } from "./inputs.js";
import { LTS_NODE, type NodeBinary } from "./node-binaries.js";
import type { BenchRow } from "./row.js";
import { rows } from "./rows/index.js";

/** The machine, versions and inputs of a benchmark. */
export interface Setting {
  readonly machine: string;
  /** Average number of running or waiting processes in the last minute: the load from others. */
  readonly load: string;
  readonly versions: string;
  readonly commit: string;
}

/** `root`: the checkout that is measured. */
export function describeSetting(
  root: string,
  python: string,
  nodes: readonly NodeBinary[],
): Setting {
  const [cpu] = cpus();
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
  const [load = 0] = loadavg();
  const pythonVersion = execFileSync(python, ["--version"], { encoding: "utf8" }).trim();
  const versions = nodes.map(({ version }) => version).join(" and ");
  return {
    machine: `${cpus().length} x ${cpu?.model.trim()}, ${gibibytes} GiB, ${type()} ${release()}`,
    load: `${load.toFixed(2)} at the start`,
    versions: `rollout-wire ${packageVersion()}, Node ${versions}, ${pythonVersion}, ${describePeers(python)}`,
    commit: describeCommit(root),
  };
}

/** The packages of Python that set the pace, with their versions. */
const PEERS = ["orjson", "duckdb", "jsonschema_rs", "pydantic"];
const PRINT_VERSIONS =
  "import sys, importlib.metadata as m; print(', '.join(f'{p} {m.version(p)}' for p in sys.argv[1:]))";

function describePeers(python: string): string {
  return execFileSync(python, ["-c", PRINT_VERSIONS, ...PEERS], { encoding: "utf8" }).trim();
}

function describeCommit(root: string): string {
  const { status, stdout } = spawnSync("git", ["describe", "--always", "--dirty", "--abbrev=10"], {
    cwd: root,
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : "unknown";
}

/**
 * Bytes that a program writes, per byte of its input: its records, and the temporary files of an export of
 * scattered rollouts.
 */
const OUTPUT_SHARE = 3;

export interface DiskPlan {
  readonly needed: number;
  readonly free: number;
}

/** Maximum bytes that a benchmark on these inputs needs in `folder`, and the free bytes there. */
export function planDisk(folder: string, inputs: readonly InputId[], branches: number): DiskPlan {
  const sizes = inputs.map((id) => inputKinds[id].estimateBytes(branches));
  const needed = sizes.reduce((sum, size) => sum + size, 0) + OUTPUT_SHARE * Math.max(0, ...sizes);
  const { bavail, bsize } = statfsSync(folder);
  return { needed, free: bavail * bsize };
}

/** Throws UserError if there is not enough space. */
export function requireDisk({ needed, free }: DiskPlan, folder: string): void {
  if (needed <= free) return;
  throw new UserError(
    `${folder} has ${formatBytes(free)} free, and the inputs need ${formatBytes(needed)}: TMPDIR names another place, --branches fewer`,
  );
}

export interface BenchRequest {
  readonly rows: readonly BenchRow[];
  readonly branches: number;
  readonly runs: number;
  readonly format: "text" | "json";
  /** Versions of Node on which rollout-wire races its peers. */
  readonly nodes: readonly string[];
}

/** 80,000 branches are 256 MB. */
const DEFAULT_BRANCHES = 80_000;
/** With fewer, G3 has no two halves, and there is nothing to shuffle. */
const LEAST_BRANCHES = 40;
const DEFAULT_RUNS = 3;
const DEFAULT_NODES = [...new Set([process.versions.node, LTS_NODE])];

export const benchOptions: readonly (readonly [flags: string, description: string])[] = [
  ["--only <row...>", `rows to measure, all by default: ${rows.map(({ id }) => id).join(", ")}`],
  ["--branches <n>", `size of the inputs, ${DEFAULT_BRANCHES} by default`],
  ["--runs <n>", `runs of each side, of which the best counts, ${DEFAULT_RUNS} by default`],
  [
    "--node <version...>",
    `versions of Node for the rows against peers, which npm installs; the running one and ${LTS_NODE} by default`,
  ],
  ["--format <name>", "text or json; text by default"],
];

/** The values of `benchOptions`. Throws UserError (exit 2) for invalid ones. */
export function readBenchOptions(values: Readonly<Record<string, unknown>>): BenchRequest {
  const options = new OptionValues(values);
  const branches = readCount(options, "branches", DEFAULT_BRANCHES, LEAST_BRANCHES);
  const format = options.optionalText("format") ?? "text";
  if (format !== "text" && format !== "json") {
    throw new UserError(`--format is text or json, not "${format}"`, EXIT.usage);
  }
  return {
    rows: values.only === undefined ? rows : options.texts("only").map(findRow),
    branches: branches - (branches % BRANCHES_PER_ROLLOUT),
    runs: readCount(options, "runs", DEFAULT_RUNS, 1),
    format,
    nodes: values.node === undefined ? DEFAULT_NODES : options.texts("node").map(requireVersion),
  };
}

function requireVersion(version: string): string {
  if (/^\d+\.\d+\.\d+$/.test(version)) return version;
  throw new UserError(
    `--node is a whole version such as ${LTS_NODE}, not "${version}"`,
    EXIT.usage,
  );
}

function findRow(id: string): BenchRow {
  const row = rows.find((each) => each.id === id);
  if (row !== undefined) return row;
  const known = rows.map((each) => each.id).join(", ");
  throw new UserError(`--only: no row is called "${id}"; there are ${known}`, EXIT.usage);
}

function readCount(options: OptionValues, name: string, otherwise: number, least: number): number {
  const text = options.optionalText(name);
  if (text === undefined) return otherwise;
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count) && count >= least) return count;
  throw new UserError(`--${name} must be a whole number from ${least}`, EXIT.usage);
}

/** Builds `dist`, so that the current source is measured. Throws UserError if the build fails. */
export function buildDist(): void {
  const { error, status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: REPO_ROOT,
    encoding: "utf8",
  });
  if (status === 0) return;
  throw new UserError(`npm run build failed: ${error?.message ?? (stdout + stderr).trim()}`);
}
