import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../src/files/staging.js";
import type { Finding } from "../../src/findings/finding.js";
import { compareGolden } from "./compare-golden.js";
import { listGolden } from "./list-golden.js";
import { runGolden } from "./run-golden.js";

export interface GoldenUpdate {
  /** What was not as it is now; or, when nothing was written, why the inputs cannot be used. */
  readonly findings: readonly Finding[];
  /** How many outputs there are. */
  readonly outputs: number;
  readonly written: boolean;
}

/**
 * Rewrites the outputs of all golden runs below `root`, and removes those that nothing writes any more:
 * all of them, or none when an input cannot be used. Throws UserError (exit 3) for a file that cannot be
 * written.
 */
export async function updateGolden(root: string): Promise<GoldenUpdate> {
  const changes: Finding[] = [];
  const faults: Finding[] = [];
  const all = new Map<string, string>();
  const { runs } = listGolden(root);
  for (const run of runs) {
    const result = await runGolden(root, run);
    if ("findings" in result) faults.push(...result.findings);
    else {
      for (const [file, text] of result.made) all.set(file, text);
      changes.push(...compareGolden(root, run, result.made));
    }
  }
  if (faults.length > 0) return { findings: faults, outputs: 0, written: false };
  const changed = new Set(changes.map(({ file }) => file));
  await writeFiles(
    [...all]
      .filter(([file]) => changed.has(file))
      .map(([file, text]) => ({ path: join(root, file), chunks: [text] })),
  );
  const old = runs.flatMap(({ outputs }) => outputs).filter((file) => !all.has(file));
  for (const file of old) rmSync(join(root, file));
  return { findings: changes, outputs: all.size, written: true };
}
