import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { replayCorpus } from "./replay-corpus.js";
import { SchemaSet } from "./schema/schema-set.js";
import type { Schema } from "./schema/subschemas.js";

function replay(before: Schema, after: Schema, lines: readonly unknown[]) {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  const rootOf = (schema: Schema) => new SchemaSet().add(schema, "schema:/");
  const versions = { old: rootOf(before), new: rootOf(after) };
  const source = { stdin: Readable.from([`${text.join("\n")}\n`]), cwd: "." };
  return replayCorpus(versions, ["-"], source);
}

const a = (more: object = {}) => ({ type: "object", required: ["a"], ...more });
const b = (more: object = {}) => ({ type: "object", required: ["b"], ...more });
const publish = (types: Readonly<Record<string, Schema>>) => ({
  anyOf: Object.keys(types).map((name) => ({ $ref: `#/$defs/${name}` })),
  $defs: types,
});

test("counts records that one version accepts and the other rejects, by direction and type", async () => {
  const before = publish({ A: a(), B: b() });
  const after = publish({
    A: a({ required: ["a", "id"] }),
    B: b({ properties: { b: { type: "string" } } }),
  });
  const lines = [
    { a: 1, id: 1 },
    { a: 1 },
    "",
    { b: 1 },
    { a: 2 },
    { b: "x" },
    { c: 1 },
    "no JSON",
    "[]",
  ];
  expect(await replay(before, after, lines)).toMatchObject({
    records: 6,
    rejected: 1,
    unreadable: 2,
    backward: {
      accepted: 5,
      broken: 3,
      brokenByType: { A: 2, B: 1 },
      first: { file: "<stdin>", line: 2, type: "A", pointer: "", keyword: "required" },
    },
    forward: { accepted: 2, broken: 0, brokenByType: {}, first: undefined },
  });
});

test("a schema that is one type, and records that only new readers accept", async () => {
  const [before, after] = [{ required: ["a"] }, true];
  const { forward } = await replay(before, after, [{ a: 1 }, { b: { c: 1 } }]);
  expect(forward).toMatchObject({
    accepted: 2,
    broken: 1,
    brokenByType: { "": 1 },
    first: { line: 2 },
  });
});

test("records of a removed type must be valid as another type", async () => {
  const before = publish({ A: a(), B: b() });
  const after = publish({ B: b() });
  const { backward } = await replay(before, after, [{ a: 1 }, { a: 1, b: 1 }, { b: 1 }]);
  expect(backward).toMatchObject({ accepted: 3, broken: 1, brokenByType: { A: 1 } });
});
