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

const named = (id: string): string => JSON.stringify({ $id: id });

test("beside a schema are the JSON files of its folder that have an $id", () => {
  write("a/y.json", named("y"));
  write("a/data.json", '{"a": 1}');
  write("a/y.yaml", named("z"));
  write("a/b/deep.json", named("deep"));
  const { beside, read } = toSchemaFiles(openTree(folder, folder), "a/x.json");
  expect(beside).toEqual(["a/y.json"]);
  expect([read("a/data.json"), read("a/y.json")]).toEqual(['{"a": 1}', named("y")]);
});

test("a data file, however large, and one that cannot be read do not count", () => {
  write("a/large.json", `{"$id": "large", "data": "${"a".repeat(2 ** 20)}"}`);
  writeFileSync(
    Buffer.concat([Buffer.from(`${folder}/a/`), Buffer.of(0xff), Buffer.from(".json")]),
    "{}",
  );
  const { beside, read } = toSchemaFiles(openTree(folder, folder), "a/x.json");
  expect(beside).toEqual([]);
  expect(read("a/large.json")).toHaveLength(2 ** 20 + 28);
});

test("data files do not displace schemas", () => {
  for (let index = 0; index < 60; index += 1) write(`a/data-${index}.json`, "{}");
  write("a/y.json", named("y"));
  expect(toSchemaFiles(openTree(folder, folder), "a/x.json").beside).toEqual(["a/y.json"]);
});

test("nothing outside of the tree is read", () => {
  const tree = openTree(join(folder, "a"), folder);
  expect(toSchemaFiles(tree, "x.json").read("../a/x.json")).toBeUndefined();
});
