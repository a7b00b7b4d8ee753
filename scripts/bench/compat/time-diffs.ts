import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { formatBytes } from "../../../src/text.js";
import { HOME } from "../../home.js";
import { AMOUNTS, createLargeSchema, STYLES } from "./create-large-schema.js";

/** Seconds that a diff of two such schemas may take. */
const BAR = 2;

/** Of so many runs, the best counts: the others tell what else the machine did. */
const RUNS = 3;

/** Times the whole command, as it is built, on large schemas of each style, with more or less of it changed; a line for each. */
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
  const program = [join(HOME, "dist", "bin", "main.js"), "diff", before, after];
  const start = performance.now();
  const { status } = spawnSync(process.execPath, program, { cwd: HOME, stdio: "ignore" });
  return { seconds: (performance.now() - start) / 1000, status };
}
