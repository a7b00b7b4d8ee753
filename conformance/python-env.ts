import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { UserError } from "../src/base/user-error.js";

/** A virtual environment of the repository, in a folder that git ignores. */
export interface PythonEnvironment {
  /** Folder, from the repository's root. */
  readonly folder: string;
  /** File of pinned requirements, from the repository's root. */
  readonly requirements: string;
  /** Minimum version of Python, such as `3.10`. */
  readonly python: string;
  /** Whether the file lists all dependencies, so that pip resolves none itself. */
  readonly complete: boolean;
  /** Minimum version of Java, if the packages run it. */
  readonly java?: number;
}

/** The tools for `npm test`, `npm run bench` and the check `agreement`. */
export const DEV_TOOLS: PythonEnvironment = {
  folder: ".venv",
  requirements: "requirements-dev.txt",
  python: "3.10",
  complete: false,
};

/** The trainers' own code, for `npm run test:interop`. */
export const INTEROP: PythonEnvironment = {
  folder: ".venv-interop",
  requirements: "conformance/interop/requirements.txt",
  python: "3.11",
  complete: true,
};

/** Spark, for `npm run test:interop -- spark`. */
export const SPARK: PythonEnvironment = {
  folder: ".venv-spark",
  requirements: "conformance/interop/spark/requirements.txt",
  python: "3.11",
  complete: true,
  java: 17,
};

/** A store with the interface of S3, for `npm run test:interop -- stores`. */
export const STORES: PythonEnvironment = {
  folder: ".venv-stores",
  requirements: "conformance/interop/stores/requirements.txt",
  python: "3.10",
  complete: true,
};

/**
 * Creates or updates a virtual environment of the repository at `root`; returns the path of its Python.
 * Throws UserError if python3, or Java if needed, is missing or too old, or if the packages cannot be installed.
 */
export function ensurePythonEnv(root: string, environment: PythonEnvironment): string {
  const folder = join(root, environment.folder);
  const file = join(root, environment.requirements);
  const python = join(folder, "bin", "python");
  const requirements = readFileSync(file, "utf8");
  // The installed requirements. Written last, so that an interrupted installation is repeated.
  const stamp = join(folder, "installed-requirements.txt");
  if (environment.java !== undefined) requireJava(environment.java);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === requirements) return python;
  requirePython(environment.python);
  run("python3", ["-m", "venv", "--clear", folder]);
  const flags = ["--quiet", "--disable-pip-version-check"];
  // Of the many modules of these packages, the tests import few: Python compiles those, and they run on the version here.
  if (environment.complete) flags.push("--no-deps", "--no-compile", "--ignore-requires-python");
  run(python, ["-m", "pip", "install", ...flags, "-r", file]);
  writeFileSync(stamp, requirements);
  return python;
}

/** PYTHONPATH for the Python package as it is in the checkout at `root`: generated and handwritten modules. */
export function pythonPath(root: string): string {
  return ["generated/python", "integrations/python"]
    .map((folder) => join(root, folder))
    .join(delimiter);
}

function requirePython(version: string): void {
  const check = `import sys; sys.exit(sys.version_info < (${version.replace(".", ", ")}))`;
  const { error, status } = spawnSync("python3", ["-c", check]);
  if (error === undefined && status === 0) return;
  const reason = error === undefined ? "is too old" : `cannot be run (${error.message})`;
  throw new UserError(`python3 ${reason}: install Python ${version} or later`);
}

function requireJava(version: number): void {
  const command = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, "bin/java") : "java";
  const { error, stderr } = spawnSync(command, ["-version"], { encoding: "utf8" });
  const [, found] = /version "(\d+)/.exec(stderr ?? "") ?? [];
  if (error === undefined && Number(found) >= version) return;
  const reason = error === undefined ? "is too old" : `cannot be run (${error.message})`;
  throw new UserError(`${command} ${reason}: install Java ${version} or later`);
}

function run(command: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (error === undefined && status === 0) return;
  const reason = error?.message ?? stderr.trim().split("\n").at(-1) ?? "";
  throw new UserError(`${command} ${args.slice(0, 3).join(" ")} failed: ${reason}`);
}
