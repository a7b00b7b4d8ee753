import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openTree } from "./open.js";
import { toSchemaFiles } from "./schema-files.js";

const folder = mkdtempSync(join(tmpdir(), "rollout-wire-beside-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, "a/b"), { recursive: true });
  write("a/x.json", "{}");
});

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}

test("files are read by their path", () => {
  write("a/b/deep.json", '{"a": 1}');
  const { read } = toSchemaFiles(openTree(folder, folder), "a/x.json");
  expect([read("a/b/deep.json"), read("a/none.json")]).toEqual(['{"a": 1}', undefined]);
});

test("nothing outside of the tree is read", () => {
  const tree = openTree(join(folder, "a"), folder);
  expect(toSchemaFiles(tree, "x.json").read("../a/x.json")).toBeUndefined();
});
