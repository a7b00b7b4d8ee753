import { afterEach, expect, test } from "vitest";
import { readRegistry } from "../../src/schemas/registry.js";
import { REPO_ROOT } from "../run-script.js";
import { generateFiles } from "./generate-files.js";
import { ExtraRepository } from "./testing/extra-repository.js";

const repositories: ExtraRepository[] = [];

const WIRE = readRegistry(REPO_ROOT).schemas.find(({ name }) => name === "rollout-wire")?.id;

afterEach(() => {
  for (const repository of repositories.splice(0)) repository.remove();
});

function createRepository(schema: unknown): ExtraRepository {
  const repository = new ExtraRepository(schema);
  repositories.push(repository);
  return repository;
}

/** A schema with features that the canonical ones lack: odd names, nesting, every checked keyword. */
const EXTRA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://example.com/schemas/extra/v1",
  title: "extra/v1",
  description: "A second schema.",
  anyOf: [{ $ref: "#/$defs/Extra" }],
  $defs: {
    Extra: {
      description: 'An object with a "quoted" word, a \\ backslash and """ quotes.',
      type: "object",
      properties: {
        class: { description: "A keyword of Python.", type: "string", maxLength: 3 },
        "odd-name": { description: "No identifier.", type: "integer", exclusiveMinimum: 0 },
        description: { description: "Named as a keyword of JSON Schema.", type: "string" },
        anything: { description: "Any value." },
        flags: { description: "Scalars of all kinds.", enum: [true, null, 3, "three"] },
        matrix: {
          description: "Nested arrays.",
          type: "array",
          minItems: 1,
          maxItems: 2,
          items: { type: "array", items: { type: "number", exclusiveMaximum: 10, maximum: 9 } },
        },
        inner: {
          description: "An object declared in place.",
          type: "object",
          properties: { "a/b~{c}": { description: "An awkward name.", type: "boolean" } },
          required: ["a/b~{c}"],
        },
        list: {
          description: "Objects declared in place.",
          type: "array",
          items: {
            type: "object",
            properties: { x: { type: "integer" } },
            additionalProperties: false,
          },
        },
        counts: {
          description: "A map.",
          type: "object",
          additionalProperties: { type: "integer", minimum: 0 },
        },
        maybe: {
          description: "One of two types.",
          type: ["string", "null"],
          pattern: "^\\d+\\s?$",
        },
        hash: {
          description: "From another schema.",
          $ref: `${WIRE}#/$defs/TaskHash`,
        },
        event: {
          description: "A class of another schema.",
          $ref: `${WIRE}#/$defs/ToolEvent`,
        },
        leaves: { description: "Classes.", type: "array", items: { $ref: "#/$defs/Leaf" } },
      },
      required: ["class"],
    },
    Leaf: {
      description: "A type with two bases, one of them in another schema.",
      type: "object",
      allOf: [
        { $ref: "#/$defs/Base" },
        { $ref: "https://wasmagent.dev/schemas/rollout-trace/v1#/$defs/RolloutTraceStep" },
      ],
      properties: { seed: { type: ["integer", "null"], minimum: 0 } },
    },
    Base: {
      description: "A base with a base.",
      type: "object",
      allOf: [{ $ref: "#/$defs/Root" }],
      properties: { y: { type: "boolean" } },
    },
    Root: { description: "A base.", type: "object", properties: { x: { type: "string" } } },
  },
};

const VALID = {
  class: "abc",
  "odd-name": 1,
  description: "d",
  anything: [{}],
  flags: null,
  matrix: [[1, 2.5], []],
  inner: { "a/b~{c}": true, more: 1 },
  list: [{ x: 1 }, {}],
  counts: { a: 0, "b/c": 2 },
  maybe: "12\u00a0",
  hash: "52cb6b5e4a038af1",
  event: { event: "tool_call", data: { toolName: "t" } },
  leaves: [{ x: "x", seed: null }],
};

const INVALID: readonly (readonly [record: unknown, faults: readonly string[]])[] = [
  [{}, [" required"]],
  [[], [" type"]],
  [{ ...VALID, class: "abcd" }, ["/class maxLength"]],
  [{ ...VALID, class: "😀😀😀😀" }, ["/class maxLength"]],
  [{ ...VALID, "odd-name": 0 }, ["/odd-name exclusiveMinimum"]],
  [{ ...VALID, flags: false }, ["/flags enum"]],
  [{ ...VALID, flags: 1 }, ["/flags enum"]],
  [{ ...VALID, matrix: [] }, ["/matrix minItems"]],
  [{ ...VALID, matrix: [[], [], []] }, ["/matrix maxItems"]],
  [{ ...VALID, matrix: [[10]] }, ["/matrix/0/0 exclusiveMaximum", "/matrix/0/0 maximum"]],
  [{ ...VALID, matrix: [0] }, ["/matrix/0 type"]],
  [{ ...VALID, inner: { "a/b~{c}": 1 } }, ["/inner/a~1b~0{c} type"]],
  [{ ...VALID, list: [{ y: 1 }] }, ["/list/0 additionalProperties"]],
  [{ ...VALID, counts: { "b/c": -1 } }, ["/counts/b~1c minimum"]],
  [{ ...VALID, maybe: "12\n\n" }, ["/maybe pattern"]],
  [{ ...VALID, maybe: 12 }, ["/maybe type"]],
  [{ ...VALID, hash: "52cb6b5e4a038af1\n" }, ["/hash pattern"]],
  [{ ...VALID, event: { data: { toolName: 1 } } }, ["/event/data/toolName type"]],
  [{ ...VALID, leaves: [{ x: 1 }] }, ["/leaves/0/x type"]],
];

test("all targets support a second schema without code changes", async () => {
  const repository = createRepository(EXTRA);
  const files = await repository.generate();
  const records = [VALID, ...INVALID.map(([record]) => record)];
  const expected = [[], ...INVALID.map(([, faults]) => [...faults].sort())];
  expect(await repository.validateInTypescript(records)).toEqual(expected);
  expect(repository.validateInPython(records)).toEqual(expected);
  const reference = files.find(({ path }) => path === "generated/reference/extra.md");
  expect(reference?.text).toContain("| `odd-name` | integer, > 0 | no | No identifier. |");
});

test("two runs give the same bytes", async () => {
  const { root } = createRepository(EXTRA);
  const first = await generateFiles(root);
  const second = await generateFiles(root);
  expect(second.files).toEqual(first.files);
  expect(first.files.length).toBeGreaterThan(20);
});

test.each([
  ["is not JSON", "{"],
  ["must be an object, is", "[]"],
  ['has no "$id"', { $defs: { A: {} } }],
  ['has no "$defs"', { $id: "https://example.com/a" }],
  ['has no "anyOf"', { ...EXTRA, anyOf: undefined }],
  ['/anyOf/0 must be a "$ref"', { ...EXTRA, anyOf: [{ type: "object" }] }],
  ['must have "$schema"', { ...EXTRA, $schema: "http://json-schema.org/draft-07/schema#" }],
  ['has the "$id" of schema/extra', { ...EXTRA, $id: WIRE }],
  ["is not a valid schema", { ...EXTRA, $defs: { A: { type: "strin" } } }],
  [
    "holds a number beyond a double",
    JSON.stringify(EXTRA).replace('"maximum":9', '"maximum":1e400'),
  ],
  ["holds a control character or a lone surrogate", { ...EXTRA, title: "\ud800" }],
  ["is defined in schema/extra.schema.json too", { ...EXTRA, $defs: { ...EXTRA.$defs, Task: {} } }],
  [
    "nothing is ever fetched",
    { ...EXTRA, $defs: { Extra: { $ref: "https://example.com/other#/$defs/X" } } },
  ],
  [
    "can take very long on some texts",
    { ...EXTRA, $defs: { Extra: { type: "string", pattern: "^(a+)+$" } } },
  ],
  ["has no such member", { ...EXTRA, $defs: { Extra: { $ref: "#/$defs/%zz" } } }],
  [
    "strict mode: required property",
    { ...EXTRA, $defs: { Extra: { type: "object", properties: { a: {} }, required: ["x"] } } },
  ],
  [
    "makes a second constant EXTRA_A_B",
    {
      ...EXTRA,
      $defs: { Extra: { type: "object", properties: { aB: { const: 1 }, "a.b": { const: 2 } } } },
    },
  ],
])("a schema that %s is rejected in one line", async (message, schema) => {
  await expect(createRepository(schema).generate()).rejects.toThrow(message);
});
