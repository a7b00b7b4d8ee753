import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HOME } from "./home.js";

/** What `npm run generate` needs of the repository. */
const PARTS = ["conformance", "generated", "package.json", "schema", "scripts", "src"];

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-generate-"));
  for (const part of PARTS) cpSync(join(HOME, part), join(root, part), { recursive: true });
  symlinkSync(join(HOME, "node_modules"), join(root, "node_modules"));
});

afterEach(() => rmSync(root, { recursive: true }));

function generate(...flags: string[]): { status: number | null; stdout: string; stderr: string } {
  const args = ["--import", "tsx", join(root, "scripts/generate.ts"), ...flags];
  return spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
}

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(join(root, path), change(readFileSync(join(root, path), "utf8")));
}

test("generate --check is green on the repository as it is", () => {
  const { status, stdout } = generate("--check");
  expect(stdout).toMatch(/^generated code: \d+ files from \d+ schemas, fresh\n$/);
  expect(status).toBe(0);
});

test("an edited schema turns it red with the lines and the command, and generate mends it", () => {
  edit("schema/rollout-wire.schema.json", (text) =>
    text.replace("Name of the tool.", "The tool's name."),
  );
  const { status, stdout } = generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("+   * The tool's name.");
  expect(stdout).toContain("generated/typescript/rollout-wire.d.ts");
  expect(stdout).toContain("schema/registry.json");
  expect(stdout).toMatch(
    /\d+ of \d+ generated files are not fresh. {2}Mend: {2}npm run generate\n$/,
  );

  expect(generate().status).toBe(0);
  expect(generate("--check").status).toBe(0);
});

test("an edited generated file turns it red", () => {
  edit("generated/python/rollout_wire/rollout_wire.py", (text) =>
    text.replace("len(_task) < 1", "len(_task) < 0"),
  );
  const { status, stdout } = generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("-    if not isinstance(_task, str) or len(_task) < 0:");
  expect(stdout).toContain("+    if not isinstance(_task, str) or len(_task) < 1:");
});

test("a missing and an unexpected file turn it red, and generate mends both", () => {
  rmSync(join(root, "generated/typescript/index.js"));
  writeFileSync(join(root, "generated/typescript/stray.js"), "");
  const { status, stdout } = generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("generated/typescript/index.js: missing\n");
  expect(stdout).toContain("generated/typescript/stray.js: unexpected, no schema generates it\n");

  expect(generate().status).toBe(0);
  expect(generate("--check").status).toBe(0);
});

test("a schema that is not JSON is one line and exit 1", () => {
  edit("schema/rollout-trace.schema.json", (text) => text.slice(0, -3));
  const { status, stderr } = generate("--check");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^schema\/rollout-trace\.schema\.json is not JSON: .*\n$/);
});

test("an unknown flag names the nearest one and exits 2", () => {
  const { status, stderr } = generate("--chek");
  expect(status).toBe(2);
  expect(stderr).toBe(
    "unknown option '--chek' (Did you mean --check?)  Help:  npm run generate -- --help\n",
  );
});
