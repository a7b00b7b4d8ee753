import { join } from "node:path";
import { ensureNpmPackages } from "./ensure-npm-packages.js";
import { REPO_ROOT } from "./run-script.js";

/** Before the first test: the real runtime is installed, as its lock has it. */
export default function setup(): void {
  ensureNpmPackages(join(REPO_ROOT, "conformance/interop/eliza"));
}
