import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEV_TOOLS, ensurePythonEnv } from "../conformance/python-env.js";
import { RUN_FOLDER } from "../src/base/testing/make-once.js";
import { REPO_ROOT } from "./run-script.js";

/** Before the first test: installs the Python tools, and creates the folder that all tests of this run share. */
export default function setup(): (() => void) | undefined {
  ensurePythonEnv(REPO_ROOT, DEV_TOOLS);
  return process.env[RUN_FOLDER] === undefined ? makeRunFolder() : undefined;
}

/** Creates the folder that the projects of this run share; returns a function that removes it. */
function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "rollout-wire-run-"));
  process.env[RUN_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
