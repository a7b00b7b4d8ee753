import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HOME } from "./run-script.js";
import { copyRepository, type RepositoryCopy } from "./testing/copy-repository.js";

const COMPILED = "src/jsonl/scan/scan-line-wasm.ts";
const SOURCE = "src/jsonl/scan/assembly/scan-line.ts";

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository();
});

afterEach(() => copy.remove());

function compile(...flags: string[]): ReturnType<RepositoryCopy["run"]> {
  return copy.run("compile-scan", ...flags);
}

test("the scan is what its source compiles to", () => {
  const { status, stdout } = compile("--check");
  expect(stdout).toMatch(
    /^src\/records\/scan\/scan-line-wasm\.ts: \d+ bytes of WebAssembly, fresh\n$/,
  );
  expect(status).toBe(0);
});

test("an edited source turns it red, and compiling mends it", () => {
  copy.edit(SOURCE, (text) => text.replace("PLAIN_DEPTH: i32 = 100", "PLAIN_DEPTH: i32 = 99"));
  const { status, stdout } = compile("--check");
  expect(status).toBe(1);
  expect(stdout).toMatch(/is not what .* compiles to\. {2}Mend: {2}npm run compile:scan\n$/);
  expect(compile().stdout).toContain("changed");
  expect(readFileSync(join(copy.root, COMPILED), "utf8")).not.toBe(
    readFileSync(join(HOME, COMPILED), "utf8"),
  );
});

test("a source that does not compile is told with its place", () => {
  copy.edit(SOURCE, (text) => text.replace("const TABLE: usize", "const TABLE: useless"));
  const { status, stderr } = compile();
  expect(status).toBe(1);
  expect(stderr).toContain("useless");
  expect(stderr).toContain(SOURCE);
});
