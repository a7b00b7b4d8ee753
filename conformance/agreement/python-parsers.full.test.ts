import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { countAttacks } from "../../src/base/testing/attacks.js";
import { runCount } from "../../src/base/testing/run-count.js";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";

const LINES = runCount(200_000);

test("Python reads damaged lines alike with msgspec and without", async (context) => {
  const attacks = countAttacks(context, "damaged lines in two parsers of Python", LINES);
  await attacks.attemptAll(LINES, async () => {
    const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
    const script = join(packageRoot(), "conformance/python/compare_parsers.py");
    const output = execFileSync(python, [script, "20261121", String(LINES)], { encoding: "utf8" });
    const { refused, fast }: { refused: number; fast: number } = JSON.parse(output);
    expect(refused).toBeGreaterThan(LINES / 10);
    expect(fast).toBeGreaterThan(LINES / 10);
  });
});
