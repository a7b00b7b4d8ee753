import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOME } from "../../scripts/home.js";
import { createFinding } from "../../src/reporters/testing/create-report.js";
import { runCheckScript } from "./run-check-script.js";

let root = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-script-"));
  mkdirSync(join(root, "scripts/checks"), { recursive: true });
  writeFileSync(join(root, "package.json"), '{"type": "module"}');
  symlinkSync(join(HOME, "node_modules"), join(root, "node_modules"));
});

afterAll(() => rmSync(root, { recursive: true }));

async function run(program: string, timeoutMs?: number): Promise<unknown> {
  writeFileSync(join(root, "scripts/checks/a-check.ts"), program);
  return await runCheckScript(root, "a-check", timeoutMs);
}

test("the outcome that the script prints", async () => {
  const outcome = { checked: [{ count: 2, thing: "schema" }], findings: [createFinding()] };
  const program = `const outcome: object = ${JSON.stringify(outcome)};\nconsole.log(JSON.stringify(outcome));`;
  expect(await run(program)).toEqual(outcome);
});

test.each([
  ["nothing", "", "ended with 0: it printed no outcome"],
  ["what is no outcome", "console.log('[]')", "ended with 0: it printed no outcome"],
  [
    "findings that are none",
    'console.log(\'{"checked": [], "findings": [1]}\')',
    "ended with 0: it printed no outcome",
  ],
  ["a message", "console.error('no python3'); process.exit(1)", "ended with 1: no python3"],
  ["a trace", "throw new TypeError('torn')", "ended with 1: TypeError: torn"],
])("a script that prints %s could not run", async (_what, program, message) => {
  await expect(run(program)).rejects.toThrow(`scripts/checks/a-check.ts ${message}`);
});

test("a script of a checkout without its development dependencies says what to run", async () => {
  const bare = mkdtempSync(join(tmpdir(), "rollout-wire-script-bare-"));
  try {
    await expect(runCheckScript(bare, "a-check")).rejects.toThrow("has no tsx: run npm ci in it");
  } finally {
    rmSync(bare, { recursive: true });
  }
});

test("a script that hangs is ended", async () => {
  await expect(run("for (;;);", 1)).rejects.toThrow(
    "scripts/checks/a-check.ts ended with SIGKILL (after 0.001 s at most): it printed no outcome",
  );
});
