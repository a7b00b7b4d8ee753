import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { readFrozenSchema } from "../../../../conformance/registry/testing/frozen-repository.js";
import { packageRoot } from "../../../base/package.js";
import { openTree } from "../trees/open.js";
import { MIN_SIMILARITY } from "./find-likeness.js";
import { findForks, listTypes } from "./forks.js";
import { maxSimilarity } from "./likeness.js";
import { structureOf } from "./structure.js";
import { namesOf } from "./written-names.js";

const folder = mkdtempSync(join(tmpdir(), "rollout-wire-forks-"));
afterAll(() => rmSync(folder, { recursive: true }));

const NAMES = ["rollout-trace", "rollout-wire", "training-record"];
const texts = new Map(NAMES.map((name) => [name, readFrozenSchema(name).toString("utf8")]));
const schemas = [...texts].map(([name, text]) => {
  const document = JSON.parse(text);
  const [structure, names] = [structureOf(document), namesOf(document)];
  return {
    name,
    ids: [`urn:rollout-wire:${name}:v1`, String(document.$id)],
    types: listTypes(document, name),
    isInferred: true,
    structure,
    names,
  };
});
const WIRE = texts.get("rollout-wire") ?? "";

function scan(files: Readonly<Record<string, string | Buffer>>) {
  rmSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return findForks(openTree(folder, folder), schemas, () => true);
}

/** The schema without its names. */
function nameless(): { $defs: Record<string, unknown> } {
  const { $id, title, ...document } = JSON.parse(WIRE);
  return document;
}

test("a copy is found by its $id, its title, its file name, or its structure only", () => {
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
    "a/urn.ts": `export const schema = { $id: "urn:rollout-wire:rollout-wire:v1", type: "object" };`,
    "a/tool.json": JSON.stringify({ ...other, $id: "urn:rollout-wire:lock:v1" }),
    "a/owned.json": JSON.stringify({ ...other, $id: "urn:x:rollout-wire:v7" }),
    "a/typed.json": JSON.stringify({ ...other, $id: "urn:x:PpoTrainingRecord:v7" }),
    "a/reference.ts": `const ref = { $ref: "https://wasmagent.dev/schemas/rollout-wire/v1" };`,
    "a/other.json": JSON.stringify(other),
    "a/broken.json": '{"properties": ',
    "a/README.md": "properties",
  });
  const found = forks.map(({ path, schema, by, likeness }) => [
    path,
    schema,
    by,
    maxSimilarity(likeness),
  ]);
  expect(found).toEqual([
    ["a/bom.json", "rollout-wire", "structure", 1],
    ["a/owned.json", "rollout-wire", "name", 0],
    ["a/program.ts", "rollout-wire", "$id", 0],
    ["a/rollout-wire.schema.json", "rollout-wire", "name", 1],
    ["a/typed.json", "training-record", "name", 0],
    ["a/urn.ts", "rollout-wire", "$id", 0],
    ["a/wire.json", "rollout-wire", "structure", 1],
    ["build/renamed.json", "rollout-wire", "name", 1],
    ["dist/titled.json", "rollout-wire", "name", 1],
    ["tests/deep/down/copy.txt", "rollout-wire", "$id", 1],
  ]);
  expect([files, candidates]).toEqual([15, 14]);
});

test("a heavily modified fork is found, and so is a single type", () => {
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

test("the schemas of the format are not forks of each other, nor are foreign schemas", () => {
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
    expect(scan({ "x.json": readFileSync(join(packageRoot(), path), "utf8") }).forks).toEqual([]);
  }
  expect(MIN_SIMILARITY).toBeGreaterThan(0.3);
});

test("a file that is too large for a schema is reported and not read", () => {
  const { unread, forks } = scan({ "large.json": `${WIRE}${" ".repeat(2 ** 24)}` });
  expect([unread, forks]).toEqual([
    [{ path: "large.json", because: "is too large: more than 16 MiB" }],
    [],
  ]);
});

test("a data file with more elements than a call can have arguments is examined", () => {
  const many = JSON.stringify({ a: Array(200_000).fill("a"), properties: {} });
  const { forks, candidates } = scan({ "data.json": many, "wire.json": WIRE });
  expect([forks.map(({ path }) => path), candidates]).toEqual([["wire.json"], 2]);
  expect(namesOf(JSON.parse(many)).whole).toEqual(new Set());
});

test("an unreadable file is reported, and the others are examined", () => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const tree = {
    ...openTree(folder, folder),
    files: () => ["a.json", "b.json"].map((path) => ({ path, size: 2 })),
    *readMany(): Generator<readonly [string, Buffer | undefined]> {
      yield ["a.json", undefined];
      yield ["b.json", Buffer.from("{}")];
    },
  };
  expect(
    findForks(
      { ...tree, folder: undefined, nameOf: String, read: () => undefined, close() {} },
      schemas,
      () => true,
    ),
  ).toEqual({
    files: 2,
    candidates: 1,
    binary: 0,
    forks: [],
    unread: [{ path: "a.json", because: "cannot be read" }],
  });
});

test("binary files are counted separately, and only text that may contain a schema is examined", () => {
  const { files, candidates, binary } = scan({
    "a.bin": Buffer.from('\u0000\u0000"properties"'),
    "picture.png": Buffer.from([0x89, 0x50, 0, 0]),
    "README.md": "# Nothing",
    "package.json": '{"name": "x"}',
    "program.ts": "export const properties = 1;",
  });
  expect([files, candidates, binary]).toEqual([5, 2, 2]);
});

test.each<[string, string, string]>([
  ["JSON in a program", "a.ts", `export const schema = ${JSON.stringify(nameless(), null, 2)};`],
  [
    "JSON in a text of a program",
    "a.py",
    `S = json.loads(${JSON.stringify(JSON.stringify(nameless()))})`,
  ],
  ["a literal without quotes", "a.ts", `export default ${toLiteral(nameless())} as const;`],
  [
    "a literal of Python",
    "a.py",
    `SCHEMA = ${JSON.stringify(nameless()).replaceAll("true", "True")}`,
  ],
  ["YAML", "api/a.yaml", stringify(nameless())],
  ["a page", "a.md", `Our schema:\n\n\`\`\`json\n${JSON.stringify(nameless(), null, 2)}\n\`\`\`\n`],
  ["JSON with comments", "a.json", `// ours\n${JSON.stringify(nameless(), null, 2)}`],
  ["JSON in JSON", "a.json", JSON.stringify({ schema: JSON.stringify(nameless()) })],
  ["a list", "a.json", JSON.stringify([nameless()])],
  [
    "one large object of it",
    "a.ts",
    `const branch = ${toLiteral(nameless().$defs.RolloutBranch)};`,
  ],
  [
    "a copy that is longer and shorter",
    "a.ts",
    `const schema = ${toLiteral(nameless())};`
      .replaceAll("tool_call_sequence", "calls")
      .replaceAll("temperature:", "heat:")
      .replace("task:", "note: { type: 'string' }, task:"),
  ],
])("a schema without its $id is found in another language: %s", (_what, path, text) => {
  const { forks } = scan({ [path]: text });
  expect(forks).toMatchObject([{ path, schema: "rollout-wire", by: "names" }]);
});

test("each schema of the format is found in a program", () => {
  for (const [name, text] of texts) {
    const { $id, title, ...document } = JSON.parse(text);
    const { forks } = scan({ "a.ts": `export const schema = ${toLiteral(document)};` });
    expect(forks).toMatchObject([{ schema: name, by: "names" }]);
  }
});

test("code and records that use the format are not copies of it", () => {
  const branch = readFileSync(join(packageRoot(), "fixtures/golden/data-loop/input.jsonl"), "utf8");
  const { forks, candidates } = scan({
    "types.d.ts": `${readFileSync(join(packageRoot(), "generated/typescript/rollout-wire.d.ts"), "utf8")}\n// properties`,
    "service.ts": `const branch = ${toLiteral(JSON.parse(branch.split("\n")[0] ?? ""))};\nconst options = { properties: { a: 1 } };`,
    "api.yaml": stringify({
      type: "object",
      properties: Object.fromEntries(
        ["rollout_id", "task", "rank", "status", "owner", "created"].map((name) => [
          name,
          { type: "string" },
        ]),
      ),
    }),
    "settings.ts":
      "export default { properties: { task: { a: 1 }, seed: { a: 1 }, steps: { a: 1 } } };",
  });
  expect([candidates, forks]).toEqual([4, []]);
});

test("a file named like a schema is found whatever it contains; records with that name are not", () => {
  const { forks } = scan({
    "a/rollout-wire.schema.json": "{}",
    "b/rollout_wire.v1.schema.json": "<<<<<<< HEAD",
    "c/rollout-wire.schema.yaml": "type: object",
    "d/rollout-wire.yml": "on: push # properties",
    "d/training-record.json": '{"messages": []}',
  });
  expect(forks.map(({ path, schema, by }) => [path, schema, by])).toEqual([
    ["a/rollout-wire.schema.json", "rollout-wire", "name"],
    ["b/rollout_wire.v1.schema.json", "rollout-wire", "name"],
    ["c/rollout-wire.schema.yaml", "rollout-wire", "name"],
  ]);
});

test("a copy in UTF-16 is found, with and without its mark", () => {
  const little = Buffer.from(JSON.stringify(nameless()), "utf16le");
  const { forks, binary } = scan({
    "a.json": little,
    "b.json": Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
    "c.json": Buffer.from(little).swap16(),
    "d.json": Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(little).swap16()]),
  });
  expect(forks.map(({ path, by }) => [path, by])).toEqual(
    ["a.json", "b.json", "c.json", "d.json"].map((path) => [path, "structure"]),
  );
  expect(binary).toBe(0);
});

test("a part that is more similar than the whole is named", () => {
  const { PpoRecord, ...others } = nameless().$defs;
  const renamed = JSON.stringify(others).replaceAll(
    /"([a-z]+)_([a-z])/g,
    (_, one, two) => `"${one}${two.toUpperCase()}`,
  );
  const { forks } = scan({
    "part.json": JSON.stringify(PpoRecord),
    "renamed.json": JSON.stringify({ $defs: JSON.parse(renamed) }),
    "api.json": JSON.stringify({
      openapi: "3.1.0",
      components: { schemas: { Reward: PpoRecord } },
    }),
  });
  expect(forks.map(({ path, likeness: { part } }) => [path, part])).toEqual([
    ["api.json", { at: "Reward", name: "PpoRecord", similarity: 1 }],
    ["part.json", { at: "", name: "PpoRecord", similarity: 1 }],
    ["renamed.json", { at: "ToolEventData", name: "ToolEventData", similarity: 1 }],
  ]);
  for (const { likeness } of forks) expect(likeness.whole).toBeLessThan(0.5);
});

/** As a program literal: names without quotes. */
function toLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/"([A-Za-z_]\w*)":/g, "$1:");
}
