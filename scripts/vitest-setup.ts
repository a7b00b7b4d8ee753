import { delimiter, dirname } from "node:path";
import { ensurePythonEnv } from "./python-env.js";

/** Before the first test: `python3` is that of the project's own environment. */
export default function setup(): void {
  const folder = dirname(ensurePythonEnv());
  process.env.PATH = [folder, process.env.PATH].join(delimiter);
}
