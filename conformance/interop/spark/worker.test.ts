import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sparkEnvironment } from "./testing/spark-driver.js";

/** The answers to 100,000 lines: a number of at most six digits, a key of 24, a space and a newline each. */
const ANSWER_BYTES = 488_895 + 100_000 * 26;

test("a worker is fed and read at once, and replaced after each way to fail", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollout-wire-spark-"));
  try {
    const program = join(import.meta.dirname, "exercise_worker.py");
    const { stdout, stderr } = spawnSync("python3", [program], {
      env: { ...process.env, ...sparkEnvironment(), TMPDIR: folder },
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const { answers, peak, threads, pid } = JSON.parse(stdout);
    const host = hostname();
    expect(answers).toEqual([
      { code: 0, printed: ANSWER_BYTES, stderr: "" },
      { code: 2, printed: 0, stderr: expect.stringContaining("unknown option '--frobnicate'") },
      { code: 0, same: true },
      {
        kind: "WorkerDied",
        message: `${host}: the worker was killed by SIGKILL`,
        dead: true,
        again: 0,
      },
      { kind: "OSError", message: "the shuffle is lost", dead: true, again: 0 },
      "Output",
      { code: 0, same: true },
    ]);
    // The input has 100 MB. Python with its packages takes half of that.
    expect(peak).toBeLessThan(100_000);
    expect(threads).toBe(0);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith("rollout-wire-"))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
