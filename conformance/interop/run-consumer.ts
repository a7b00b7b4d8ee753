import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { INTEROP } from "../python-env.js";

/** What Python has compiled, of the packages too. */
const COMPILED = fileURLToPath(new URL(`../../${INTEROP.folder}/compiled`, import.meta.url));

/**
 * Runs `consumers/<name>.py` on a request and returns its answer. Each run has its own cache. Throws, with
 * the last lines of its output, if the program fails.
 */
export function runConsumer<Answer>(name: string, request: unknown): Answer {
  const cache = mkdtempSync(join(tmpdir(), "rollout-wire-interop-cache-"));
  try {
    const program = fileURLToPath(new URL(`./consumers/${name}.py`, import.meta.url));
    const { error, status, stdout, stderr } = spawnSync("python3", [program], {
      input: JSON.stringify(request),
      env: { ...process.env, HF_HOME: cache, PYTHONPYCACHEPREFIX: COMPILED },
      encoding: "utf8",
      maxBuffer: 1 << 30,
    });
    // A program that exits early closes the pipe, but its output is more informative.
    if (status !== 0 && status !== null) {
      throw new Error(`${name} ended with code ${status}:\n${stderr.slice(-2000)}`);
    }
    if (error !== undefined) throw error;
    return JSON.parse(stdout);
  } finally {
    rmSync(cache, { recursive: true });
  }
}
