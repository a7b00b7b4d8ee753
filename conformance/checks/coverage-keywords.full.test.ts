import { expect, test } from "vitest";
import { operators } from "../coverage/operators/index.js";
import { writeMissing } from "../gate.js";
import { checkSuites, useSmallRepository } from "./testing/use-small-repository.js";

const create = useSmallRepository();

/** Every keyword that has an operator, some below others that turn a verdict around. */
const EVERYTHING = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    id: { type: "string", pattern: "^[a-z]{2,}$", maxLength: 4 },
    kind: { enum: ["a", "b"] },
    version: { const: 1 },
    when: { type: "string", format: "date" },
    who: { type: "string", minLength: 1 },
    cents: { type: "number", multipleOf: 0.05, exclusiveMinimum: 0, maximum: 9 },
    share: { type: "number", minimum: 0, exclusiveMaximum: 1 },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true, minItems: 1, maxItems: 3 },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
    some: { type: "array", contains: { type: "integer" }, minContains: 2, maxContains: 3 },
    names: { type: "object", propertyNames: { maxLength: 2 }, minProperties: 1, maxProperties: 2 },
    free: { type: "object", additionalProperties: { type: "integer" } },
    part: { anyOf: [{ $ref: "#/$defs/Part" }, { type: "null" }] },
    shape: {
      oneOf: [
        { type: "string", maxLength: 3 },
        { type: ["string", "integer"], minLength: 2, multipleOf: 2 },
      ],
    },
    other: { not: { type: "object", required: ["secret"] } },
    gone: { not: {} },
  },
  patternProperties: { "^x-": { type: "string" } },
  additionalProperties: false,
  required: ["id"],
  dependentRequired: { kind: ["version"] },
  dependentSchemas: { when: { required: ["who"] } },
  if: { properties: { version: { const: 1 } }, required: ["version"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["cents"] },
  else: { properties: { kind: { const: "a" } } },
  allOf: [{ properties: { id: { minLength: 3 } } }],
  $defs: {
    Part: { type: "array" },
    Alone: { type: "boolean" },
  },
};

const used = new Set<string>();
JSON.stringify(EVERYTHING, (key, value) => {
  used.add(key);
  return value;
});

test("every keyword that has an operator is in the schema of these tests", () => {
  expect(operators.map(({ keyword }) => keyword).filter((keyword) => !used.has(keyword))).toEqual(
    [],
  );
});

test("what is missing is written, is green, kills what it is written for, and is written once", async () => {
  const task = create(EVERYTHING);
  expect((await checkSuites(task)).found).toEqual([
    " Task has no fixture in tests: add one, or run check --write-fixtures",
    "waits for fixtures",
  ]);
  const { text, isWhole } = await writeMissing(task.open());
  expect(text).toMatch(
    /^tests\/Task\.json: \d+ fixtures added\ntests\/Alone\.json: \d+ fixtures added\n/,
  );
  expect(text.split("\n").filter((line) => line.includes("by hand"))).toEqual([]);
  expect(isWhole).toBe(true);
  const { found, counts } = await checkSuites(task);
  expect(found).toEqual([]);
  expect(counts.get("mutant")).toBeGreaterThan(120);
  const before = task.read("tests/Task.json");
  expect((await writeMissing(task.open())).text).toBe("0 fixtures added: check the descriptions\n");
  expect(task.read("tests/Task.json")).toBe(before);
});
