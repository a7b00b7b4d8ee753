import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../../src/base/json/print.js";
import { packageRoot } from "../../../src/base/package.js";
import { DEV_TOOLS, ensurePythonEnv, SPARK } from "../../python-env.js";
import { createRollouts } from "../testing/create-rollouts.js";
import { exportHere, readDataset } from "./testing/one-machine.js";
import { sparkEnvironment } from "./testing/spark-driver.js";

const PACKAGE = join(packageRoot(), "integrations/spark");

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-spark-"));
  mkdirSync(join(folder, "in"));
  writeFileSync(join(folder, "in/a.jsonl"), toJsonl(createRollouts()));
  mkdirSync(join(folder, "bad"));
  writeFileSync(join(folder, "bad/a.jsonl"), `${toJsonl(createRollouts().slice(0, 3))}NaN\n`);
  cpSync(join(PACKAGE, "rollout_wire_spark/submit.py"), join(folder, "submit.py"));
  // As on a cluster, the package comes as a zip.
  const zip =
    "import shutil, sys; shutil.make_archive('rollout_wire_spark', 'zip', sys.argv[1], 'rollout_wire_spark')";
  const made = spawnSync("python3", ["-c", zip, PACKAGE], { cwd: folder, encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ending {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** In client mode, spark-submit puts both outputs of a program on standard output. */
async function submit(argv: readonly string[]): Promise<Ending> {
  const { PYTHONPATH: _, ...env } = sparkEnvironment();
  const settings = [
    "spark.ui.enabled=false",
    "spark.driver.bindAddress=127.0.0.1",
    "spark.driver.host=127.0.0.1",
    "spark.ui.showConsoleProgress=false",
    "spark.log.level=ERROR",
  ];
  const own = [
    "--master",
    "local[2]",
    "--driver-memory",
    "700m",
    "--py-files",
    "rollout_wire_spark.zip",
  ];
  const conf = settings.flatMap((setting) => ["--conf", setting]);
  const child = spawn("spark-submit", [...own, ...conf, "submit.py", ...argv], {
    cwd: folder,
    env: { ...process.env, ...env, TMPDIR: folder, SPARK_LOCAL_DIRS: folder },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, ...output }));
  });
}

test("spark-submit takes the flags of the program", async () => {
  const flags = [
    "--target",
    "wire",
    "--allow-missing-g3",
    "--exported-at-ms",
    "5",
    "--min-gap",
    "0.1",
  ];
  const expected = await exportHere(folder, "one", ["in"], flags);
  const ending = await submit(["export", "-i", "in", "-o", "out", ...flags, "--partitions", "3"]);
  expect(ending.stdout).toMatch(/^dpo: \d+ records in 3 files$/m);
  expect(ending.status).toBe(0);
  expect(readDataset(join(folder, "out")).records).toEqual(expected.records);
});

test("errors are printed with file and line, and give the exit code of the program", async () => {
  const ending = await submit(["validate", "bad", "--partitions", "2", "--profile", "lenient"]);
  expect(ending.stdout).toContain(
    `${folder}/bad/a.jsonl:4:1  (line)  not JSON: unexpected NaN  (json)`,
  );
  expect(ending.stdout).toMatch(/^\d+ errors?, \d+ warnings? in 4 records$/m);
  expect(ending.status).toBe(1);
});

test("a flag that the program does not know gives exit code 2 and one line", async () => {
  const ending = await submit([
    "export",
    "-i",
    "in",
    "-o",
    "none",
    "--allow-missing-g3",
    "--frobnicate",
  ]);
  expect(ending.stdout).toMatch(/^unknown option '--frobnicate' {2}Help: {2}\S.* export --help$/m);
  expect(ending.stdout).not.toContain("Traceback");
  expect(ending.status).toBe(2);
});

test("the package is clean for mypy, strictly", () => {
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  const spark = ensurePythonEnv(packageRoot(), SPARK);
  // PyArrow has no types.
  const flags = ["--strict", "--python-executable", spark, "--ignore-missing-imports"];
  const sources = ["rollout_wire_spark", "../../conformance/interop/spark/driver.py"];
  const { status, stdout } = spawnSync(
    python,
    ["-m", "mypy", ...flags, ...sources.map((source) => join(PACKAGE, source))],
    { cwd: packageRoot(), encoding: "utf8" },
  );
  expect(stdout).toMatch(/^Success: no issues found in [12]\d source files\n$/);
  expect(status).toBe(0);
});

test("the package is clean for pyright, strictly", () => {
  const { status, stdout } = spawnSync("npx", ["--no-install", "pyright", "--project", PACKAGE], {
    cwd: packageRoot(),
    encoding: "utf8",
  });
  expect(stdout).toContain("0 errors, 0 warnings");
  expect(status).toBe(0);
});
