import { delimiter, dirname } from "node:path";
import { DEV_TOOLS, ensurePythonEnv } from "../conformance/python-env.js";
import { REPO_ROOT } from "./run-script.js";

/** Before the first test: `python3` is that of the project's own environment. */
export default function setup(): void {
  const folder = dirname(ensurePythonEnv(REPO_ROOT, DEV_TOOLS));
  process.env.PATH = [folder, process.env.PATH].join(delimiter);
}
