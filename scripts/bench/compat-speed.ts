import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { formatBytes } from "../../src/base/text.js";
import { REPO_ROOT } from "../run-script.js";
import { AMOUNTS, createLargeSchema, STYLES } from "./large-schema.js";

/** Maximum seconds for a diff of two such schemas. */
const BAR = 2;

/** Number of runs; the best one counts, because the others depend on the load of the machine. */
const RUNS = 3;

/** Times the built command on large schemas of each style with different numbers of changes; one line each. */
export function* timeDiffs(folder: string): Generator<string> {
  const load = (loadavg()[0] ?? 0).toFixed(1);
  yield `\n${availableParallelism()} cores, load ${load}\n${"diff of".padEnd(44)}${"seconds".padEnd(10)}exit  (best of ${RUNS})\n`;
  for (const style of STYLES) {
    const before = join(folder, `${style}.json`);
    const text = JSON.stringify(createLargeSchema(style, "nothing"));
    writeFileSync(before, text);
    for (const amount of AMOUNTS) {
      const after = join(folder, `${style}-${amount}.json`);
      writeFileSync(after, JSON.stringify(createLargeSchema(style, amount)));
      const runs = Array.from({ length: RUNS }, () => timeDiff(before, after));
      const seconds = Math.min(...runs.map((run) => run.seconds));
      const [status] = runs.map((run) => run.status);
      const what = `${style}, ${formatBytes(Buffer.byteLength(text))}, ${amount} changed`;
      const verdict = seconds > BAR ? `  over the bar of ${BAR} s` : "";
      yield `${what.padEnd(44)}${seconds.toFixed(2).padEnd(10)}${status}${verdict}\n`;
    }
  }
}

function timeDiff(before: string, after: string) {
  const program = [join(REPO_ROOT, "dist", "bin", "main.js"), "diff", before, after];
  const start = performance.now();
  const { status } = spawnSync(process.execPath, program, { cwd: REPO_ROOT, stdio: "ignore" });
  return { seconds: (performance.now() - start) / 1000, status };
}
