import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { createInput } from "../testing/create-input.js";
import { NodeModule } from "../testing/node-module.js";
import { linkFiles } from "./link-files.js";

const base = {
  type: "object",
  properties: { a: { type: "string" } },
  patternProperties: { "^x-": {} },
};
const $defs = {
  Base: base,
  Closed: { properties: { a: {} }, additionalProperties: false },
  Open: { properties: { a: {} }, additionalProperties: { type: "string" } },
  Again: { allOf: [{ $ref: "#/$defs/Base" }], unevaluatedProperties: { type: "number" } },
};
const toBase = { $ref: "#/$defs/Base" };
const own = { properties: { b: {} } };

/** Schemas whose properties are known whenever they are valid. */
const CARRIED: readonly object[] = [
  { ...toBase, ...own, unevaluatedProperties: false },
  { allOf: [toBase, own], unevaluatedProperties: false },
  { ...toBase, unevaluatedProperties: { type: "number" } },
  { allOf: [{ $ref: "#/$defs/Closed" }], ...own, unevaluatedProperties: false },
  { allOf: [{ $ref: "#/$defs/Open" }], ...own, unevaluatedProperties: false },
  { allOf: [{ $ref: "#/$defs/Again" }], ...own, unevaluatedProperties: false },
  {
    ...toBase,
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
    ...own,
    unevaluatedProperties: false,
  },
  {
    ...toBase,
    if: { required: ["a"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { a: { minLength: 2 } } },
    unevaluatedProperties: false,
  },
  {
    ...toBase,
    not: { properties: { c: { type: "string" } }, required: ["c"] },
    unevaluatedProperties: false,
  },
];

/** Schemas that know a property only of some values. */
const REFUSED: readonly object[] = [
  { ...toBase, anyOf: [own, {}], unevaluatedProperties: false },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  { ...toBase, if: { required: ["a"] }, then: own, unevaluatedProperties: false },
  { ...toBase, dependentSchemas: { a: own }, unevaluatedProperties: false },
  { ...toBase, oneOf: [{ patternProperties: { "^b": {} } }, false], unevaluatedProperties: false },
  { ...toBase, anyOf: [{ additionalProperties: true }, {}], unevaluatedProperties: false },
];

const KEYS = ["a", "b", "c", "x-1"];
const VALUES = [undefined, 1, "s", "ss"];
const records = KEYS.reduce<Record<string, unknown>[]>(
  (all, key) =>
    all.flatMap((each) =>
      VALUES.map((value) => (value === undefined ? each : { ...each, [key]: value })),
    ),
  [{}],
);

test("what is not evaluated is what is additional, where all properties are known", async () => {
  const schemas = Object.fromEntries(CARRIED.map((schema, at) => [`Case${at}`, schema]));
  const document = { $defs: { ...$defs, ...schemas } };
  const { definitions } = createInput({ "a.schema.json": document });
  const nodes = [...definitions].map(([name, { node }]) => [name, node]);
  const module = await NodeModule.load(Object.fromEntries(nodes));
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(document, "doc");
  for (const name of [...Object.keys(schemas), "Again"]) {
    const referee = ajv.getSchema(`doc#/$defs/${name}`);
    const verdicts = records.map((record) => [record, referee?.(record)]);
    expect(
      records.map((record) => [record, module.is(name, record)]),
      name,
    ).toEqual(verdicts);
    expect(new Set(verdicts.map(([, verdict]) => verdict)), name).toEqual(new Set([true, false]));
  }
  module.remove();
});

test.each(REFUSED)("%j is refused", (schema) => {
  const bytes = Buffer.from(JSON.stringify({ $defs: { ...$defs, Case: schema } }));
  const { faults } = linkFiles([{ path: "a.schema.json", bytes }]);
  expect(faults.map(({ id, pointer }) => [id, pointer])).toEqual([
    ["keyword", "/$defs/Case/unevaluatedProperties"],
  ]);
});
