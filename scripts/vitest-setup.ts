import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { DEV_TOOLS, ensurePythonEnv, INTEROP, SPARK, STORES } from "../conformance/python-env.js";
import { RUN_FOLDER } from "../src/base/testing/make-once.js";
import { REPO_ROOT } from "./run-script.js";
import { ensureNpmPackages } from "./testing/npm-packages.js";

/** Each has a folder with its own lock file. */
const NPM_PROJECTS = ["eliza", "runtimes"];

/** Each has a virtual environment of its own. */
const PYTHON_PROJECTS = new Map([
  ["trainers", INTEROP],
  ["spark", SPARK],
  ["stores", STORES],
]);

/** Before the first test of a project: installs what its tests need besides the packages in the lock file. */
export default function setup({ name }: TestProject): (() => void) | undefined {
  if (NPM_PROJECTS.includes(name)) ensureNpmPackages(join(REPO_ROOT, "conformance/interop", name));
  else ensurePythonEnv(REPO_ROOT, PYTHON_PROJECTS.get(name) ?? DEV_TOOLS);
  return process.env[RUN_FOLDER] === undefined ? makeRunFolder() : undefined;
}

/** Creates the folder that the projects of this run share; returns a function that removes it. */
function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "rollout-wire-run-"));
  process.env[RUN_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
