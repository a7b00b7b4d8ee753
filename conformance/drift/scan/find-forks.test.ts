import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { HOME } from "../../../scripts/home.js";
import { openTree } from "../trees/open-tree.js";
import { findForks, MIN_SIMILARITY } from "./find-forks.js";
import { structureOf } from "./structure.js";

const folder = mkdtempSync(join(tmpdir(), "rollout-wire-forks-"));
afterAll(() => rmSync(folder, { recursive: true }));

const NAMES = ["export-report", "rollout-trace", "rollout-wire", "training-record"];
const texts = new Map(
  NAMES.map((name) => [name, readFileSync(join(HOME, `schema/${name}.schema.json`), "utf8")]),
);
const schemas = [...texts].map(([name, text]) => {
  const document = JSON.parse(text);
  return { name, id: String(document.$id), structure: structureOf(document) };
});
const WIRE = texts.get("rollout-wire") ?? "";

function scan(files: Readonly<Record<string, string>>) {
  rmSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return findForks(openTree(folder, folder), schemas);
}

/** The schema without whatever names it. */
function nameless(): { $defs: Record<string, unknown> } {
  const { $id, title, ...document } = JSON.parse(WIRE);
  return document;
}

test("a copy is found by its $id, its title, its file's name, or its structure alone", () => {
  const other = { $id: "https://other.example/x", properties: { a: {} } };
  const { forks, files, candidates } = scan({
    "tests/deep/down/copy.txt": WIRE,
    "dist/titled.json": JSON.stringify({ ...nameless(), title: "rollout-wire/v0" }),
    "build/renamed.json": JSON.stringify({
      ...nameless(),
      $id: "https://x.example/rollout-wire.schema.json",
    }),
    "a/rollout-wire.schema.json": JSON.stringify(nameless()),
    "a/wire.json": JSON.stringify(nameless()),
    "a/bom.json": `\ufeff${JSON.stringify(nameless())}`,
    "a/program.ts": `export const schema = { $id: "https://wasmagent.dev/schemas/rollout-wire/v1", type: "object" };`,
    "a/reference.ts": `const ref = { $ref: "https://wasmagent.dev/schemas/rollout-wire/v1" };`,
    "a/other.json": JSON.stringify(other),
    "a/broken.json": '{"properties": ',
    "a/README.md": "properties",
  });
  expect(forks.map(({ path, schema, by, similarity }) => [path, schema, by, similarity])).toEqual([
    ["a/bom.json", "rollout-wire", "structure", 1],
    ["a/program.ts", "rollout-wire", "$id", 0],
    ["a/rollout-wire.schema.json", "rollout-wire", "name", 1],
    ["a/wire.json", "rollout-wire", "structure", 1],
    ["build/renamed.json", "rollout-wire", "name", 1],
    ["dist/titled.json", "rollout-wire", "name", 1],
    ["tests/deep/down/copy.txt", "rollout-wire", "$id", 1],
  ]);
  expect([files, candidates]).toEqual([11, 7]);
});

test("a fork is found though much of it changed, and one type of it is enough", () => {
  const { DpoRecord } = nameless().$defs;
  const { forks } = scan({
    "type.json": JSON.stringify({ components: { schemas: { Pair: DpoRecord } } }),
    "renamed.json": JSON.stringify(nameless())
      .replaceAll("#/$defs/", "#/definitions/")
      .replace('"$defs"', '"definitions"')
      .replaceAll('"task"', '"prompt_text"')
      .replaceAll('"session_id"', '"session"'),
  });
  expect(forks.map(({ path, by }) => [path, by])).toEqual([
    ["renamed.json", "structure"],
    ["type.json", "structure"],
  ]);
});

test("the schemas of the format are no forks of each other, nor are those of others", () => {
  const files = Object.fromEntries(
    [...texts].map(([name, text]) => {
      const { $id, title, ...document } = JSON.parse(text);
      return [`${name}-copy.json`, JSON.stringify(document)];
    }),
  );
  const { forks } = scan(files);
  expect(forks.map(({ schema }) => schema)).toEqual(NAMES);
  const others = ["node_modules/ajv/dist/refs/json-schema-draft-07.json"];
  for (const path of others) {
    expect(scan({ "x.json": readFileSync(join(HOME, path), "utf8") }).forks).toEqual([]);
  }
  expect(MIN_SIMILARITY).toBeGreaterThan(0.3);
});

test("what is too large to be a schema is not read, and said", () => {
  const { tooLarge, forks } = scan({ "large.json": `${WIRE}${" ".repeat(2 ** 24)}` });
  expect([tooLarge, forks]).toEqual([["large.json"], []]);
});
