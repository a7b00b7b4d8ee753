import { describe, expect, test } from "vitest";
import { type Place, recordFields } from "#generated/redaction.js";
import { packageRoot } from "../../../base/package.js";
import { type Definition, type Definitions, definitionOf } from "../../schemas/definitions.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { flattenAllOf } from "../definitions.js";
import { readOwnSchemas } from "../front/own-schemas.js";
import { toPlace, toRecordFields } from "./typescript-redaction.js";

const schema = {
  file: "schema/extra.schema.json",
  name: "extra",
  id: "https://example.com/extra",
  canonicalHash: "",
  document: {},
  entryTypes: [],
  tier: "wire" as const,
};

function define(nodes: Readonly<Record<string, SchemaNode>>): Definitions {
  return new Map(
    Object.entries(nodes).map(([name, node]): [string, Definition] => [
      name,
      { name, schema, pointer: "", node },
    ]),
  );
}

const text: SchemaNode = { type: "string" };
const number: SchemaNode = { type: "number" };
const hash: SchemaNode = { type: "string", pattern: "^[0-9a-f]{64}$" };
const definitions = define({ Id: { ...text, "x-redact": "identifier" }, Count: number });

const OPEN = { kind: "open" };
const NUMBER = { kind: "fixed", numbers: true };

describe("the place of a value", () => {
  test.each<[string, SchemaNode, unknown]>([
    ["any value", {}, OPEN],
    ["a text", text, OPEN],
    [
      "an identifier, if the schema says so",
      { ...text, "x-redact": "identifier" },
      { kind: "identifier" },
    ],
    ["a reference: that of its definition", { $ref: "Id" }, { kind: "identifier" }],
    ["a reference with its own x-redact", { $ref: "Id", "x-redact": "open" }, OPEN],
    ["a number", { type: "integer", enum: [0, 1] }, NUMBER],
    ["a number or null", { type: ["number", "null"] }, NUMBER],
    ["a number that may be an account number", { ...number, "x-redact": "open" }, OPEN],
    ["a constant", { const: "a" }, { kind: "fixed", words: ["a"] }],
    ["words", { enum: ["a", "b", null] }, { kind: "fixed", words: ["a", "b"] }],
    ["a pattern that a key may match too", hash, OPEN],
    [
      "a pattern that no secret has",
      { ...hash, "x-redact": "fixed" },
      { kind: "fixed", patterns: ["^[0-9a-f]{64}$"] },
    ],
    ["an object of any shape", { type: "object" }, OPEN],
    ["an object with values of one kind", { type: "object", additionalProperties: number }, OPEN],
    ["measures", { type: "object", "x-redact": "measures" }, { kind: "measures" }],
    [
      "an object",
      { type: "object", properties: { a: { $ref: "Count" }, b: text } },
      { kind: "object", fields: { a: NUMBER, b: OPEN } },
    ],
    ["a list", { type: "array", items: number }, { kind: "list", element: NUMBER }],
  ])("%s", (_, node, place) => expect(toPlace(node, definitions)).toEqual(place));
});

describe("a field shared by two record types", () => {
  const record = (a: SchemaNode): SchemaNode => ({
    type: "object",
    "x-redact": "record",
    properties: { a },
  });
  const share = (one: SchemaNode, other: SchemaNode): unknown =>
    toRecordFields(
      define({
        One: record(one),
        Other: record(other),
        Part: { ...record(text), "x-redact": "open" },
      }),
    ).a;
  const objectOf = (properties: Readonly<Record<string, SchemaNode>>): SchemaNode => ({
    type: "object",
    properties,
  });

  test.each<[string, SchemaNode, SchemaNode, unknown]>([
    ["of one kind", number, number, NUMBER],
    ["with words of both", { const: "a" }, { const: "b" }, { kind: "fixed", words: ["a", "b"] }],
    ["with numbers and words", number, { const: "b" }, { ...NUMBER, words: ["b"] }],
    [
      "with fields of both",
      objectOf({ b: number, c: number }),
      objectOf({ c: text, d: number }),
      { kind: "object", fields: { b: NUMBER, c: OPEN, d: NUMBER } },
    ],
    [
      "with elements of both",
      { type: "array", items: number },
      { type: "array", items: text },
      { kind: "list", element: OPEN },
    ],
    [
      "an object or a number, which is then open",
      number,
      objectOf({ b: number }),
      { kind: "object", fields: { b: NUMBER } },
    ],
    ["open in one of them", text, { ...text, "x-redact": "identifier" }, OPEN],
    ["an identifier or words", { const: "a" }, { ...text, "x-redact": "identifier" }, OPEN],
  ])("%s", (_, one, other, place) => {
    expect(share(one, other)).toEqual(place);
  });

  test("in any order", () => {
    const nodes = [
      text,
      number,
      objectOf({ b: number }),
      { type: "array", items: number } as const,
    ];
    for (const one of nodes) {
      for (const other of nodes) expect(share(one, other)).toEqual(share(other, one));
    }
  });
});

describe("the generated table", () => {
  const published = readOwnSchemas(packageRoot()).definitions;
  const records = [...published.values()].filter(({ node }) => node["x-redact"] === "record");

  /** Every declared property below a node, with its place in the table. */
  function* walk(
    node: SchemaNode,
    place: Place | undefined,
    path: string,
  ): Generator<readonly [path: string, place: Place | undefined]> {
    if (node.$ref !== undefined) {
      return yield* walk(definitionOf(node.$ref, published).node, place, path);
    }
    if (node.items !== undefined) {
      return yield* walk(
        node.items,
        place?.kind === "list" ? place.element : undefined,
        `${path}[]`,
      );
    }
    const fields = place?.kind === "object" ? place.fields : {};
    for (const [name, child] of Object.entries(flattenAllOf(node, published).properties ?? {})) {
      yield [`${path}.${name}`, fields[name]];
      yield* walk(child, fields[name], `${path}.${name}`);
    }
  }

  test("matches the schemas", () => {
    expect(recordFields).toEqual(toRecordFields(published));
  });

  test("covers every record type of a schema that has a record", () => {
    const names = records.map(({ name }) => name);
    const schemas = new Set(records.map((definition) => definition.schema));
    expect(schemas.size).toBeGreaterThan(0);
    expect(names).toEqual(expect.arrayContaining([...schemas].flatMap((each) => each.entryTypes)));
  });

  test.each(records)("has a place for every declared property of $name", ({ name, node }) => {
    const found = [...walk(node, { kind: "object", fields: recordFields }, name)];
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(([, place]) => place === undefined)).toEqual([]);
  });
});
