import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureNode, nameNode } from "./node-binaries.js";

let root = "";
const { PATH = "" } = process.env;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-node-"));
});

afterEach(() => {
  process.env.PATH = PATH;
  rmSync(root, { recursive: true });
});

/** Puts a program called npm, with these commands of a shell, before the real one. */
function fakeNpm(commands: string): void {
  const bin = join(root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), `#!/bin/sh\n${commands}\n`);
  chmodSync(join(bin, "npm"), 0o755);
  process.env.PATH = [bin, PATH].join(delimiter);
}

test("the running version is not installed", () => {
  fakeNpm("exit 1");
  const { node: version } = process.versions;
  expect(ensureNode(root, version)).toEqual({ version, path: process.execPath });
});

test("another version is installed once, by the name of its package", () => {
  fakeNpm(
    `echo "$@" >> ${join(root, "calls")}; mkdir -p node_modules/node/bin; : > node_modules/node/bin/node`,
  );
  const node = ensureNode(root, "99.1.0");
  expect(ensureNode(root, "99.1.0")).toEqual(node);
  expect(nameNode(node)).toBe("Node 99");
  expect(readFileSync(node.path, "utf8")).toBe("");
  expect(readFileSync(join(root, "calls"), "utf8")).toMatch(/^install .* node@99\.1\.0\n$/);
});

test("an installation that fails is one line", () => {
  fakeNpm("echo no such version >&2; exit 1");
  expect(() => ensureNode(root, "99.1.0")).toThrow(
    "npm install node@99.1.0 failed: no such version",
  );
});
