import { delimiter, dirname } from "node:path";
import { ensurePythonEnv, INTEROP } from "../conformance/python-env.js";
import { REPO_ROOT } from "./run-script.js";

/** Before the first test: `python3` is that of the trainers' environment, and nothing is fetched. */
export default function setup(): void {
  const folder = dirname(ensurePythonEnv(REPO_ROOT, INTEROP));
  process.env.PATH = [folder, process.env.PATH].join(delimiter);
  process.env.HF_HUB_OFFLINE = "1";
}
