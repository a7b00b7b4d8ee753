import { join } from "node:path";
import { ensureNpmPackages } from "./ensure-npm-packages.js";
import { HOME } from "./run-script.js";

/** Before the first test: the real runtime is installed, as its lock has it. */
export default function setup(): void {
  ensureNpmPackages(join(HOME, "conformance/interop/eliza"));
}
