import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyRepository, type RepositoryCopy } from "../src/base/testing/copy-repository.js";
import { run } from "./compile-scan.js";
import { REPO_ROOT } from "./run-script.js";
import { runInProcess } from "./testing/run-in-process.js";

const COMPILED = "src/rollouts/wire/scan/scan-line-wasm.ts";
const SOURCE = "src/rollouts/wire/scan/assembly/scan-line.ts";

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository([dirname(SOURCE), COMPILED]);
});

afterEach(() => copy.remove());

const compile = (...flags: string[]) => runInProcess(run, flags, { root: copy.root });

test("the compiled scan is up to date", async () => {
  const { status, stdout } = await compile("--check");
  expect(stdout).toMatch(
    /^src\/rollouts\/wire\/scan\/scan-line-wasm\.ts: \d+ bytes of WebAssembly, fresh\n$/,
  );
  expect(status).toBe(0);
});

test("an edited source makes it stale, and compiling fixes it", async () => {
  copy.edit(SOURCE, (text) => text.replace("RULED_DEPTH: i32 = 100", "RULED_DEPTH: i32 = 99"));
  const { status, stdout } = await compile("--check");
  expect(status).toBe(1);
  expect(stdout).toMatch(/is not what .* compiles to\. {2}Fix: {2}npm run compile:scan\n$/);
  expect((await compile()).stdout).toContain("changed");
  expect(readFileSync(join(copy.root, COMPILED), "utf8")).not.toBe(
    readFileSync(join(REPO_ROOT, COMPILED), "utf8"),
  );
});

test("a source that does not compile is reported with its position", async () => {
  copy.edit(SOURCE, (text) => text.replace("const KEYS: usize", "const KEYS: useless"));
  const { status, stderr } = await compile();
  expect(status).toBe(1);
  expect(stderr).toContain("useless");
  expect(stderr).toContain(SOURCE);
});
