import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { DEV_TOOLS, ensurePythonEnv, INTEROP } from "../conformance/python-env.js";
import { UserError } from "../src/user-error.js";
import { REPO_ROOT } from "./run-script.js";
import { RUN_FOLDER } from "./testing/make-once.js";

/** Each has a folder with its own lock file. */
const NPM_PROJECTS = ["eliza", "runtimes"];

/** Before the first test of a project: installs what its tests need besides the packages in the lock file. */
export default function setup({ name }: TestProject): (() => void) | undefined {
  if (NPM_PROJECTS.includes(name)) ensureNpmPackages(join(REPO_ROOT, "conformance/interop", name));
  else ensurePythonEnv(REPO_ROOT, name === "trainers" ? INTEROP : DEV_TOOLS);
  return process.env[RUN_FOLDER] === undefined ? makeRunFolder() : undefined;
}

/** Creates the folder that the projects of this run share; returns a function that removes it. */
function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "rollout-wire-run-"));
  process.env[RUN_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * Installs the packages of a folder with a `package-lock.json`, unless they are up to date. Throws UserError
 * if npm fails.
 */
function ensureNpmPackages(folder: string): void {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  // The installed lock file. Written last, so that an interrupted installation is repeated.
  const stamp = join(folder, "node_modules", "installed-package-lock.json");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const flags = ["--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  const { error, status, stderr } = spawnSync("npm", ["ci", ...flags], {
    cwd: folder,
    encoding: "utf8",
  });
  if (error !== undefined || status !== 0) {
    const reason = error?.message ?? stderr.trim().split("\n").at(-1) ?? "";
    throw new UserError(`npm ci in ${folder} failed: ${reason}`);
  }
  writeFileSync(stamp, lock);
}
