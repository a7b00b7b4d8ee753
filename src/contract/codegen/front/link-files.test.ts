import { describe, expect, test } from "vitest";
import { createInput } from "../testing/create-input.js";
import { linkFiles } from "./link-files.js";

/** The nodes of all definitions by name. */
function link(
  files: Readonly<Record<string, unknown>>,
  options?: Parameters<typeof createInput>[1],
): Record<string, unknown> {
  const { definitions } = createInput(files, options);
  return Object.fromEntries([...definitions].map(([name, { node }]) => [name, node]));
}

/** The faults of files, each as `id file pointer`. */
function find(files: Readonly<Record<string, unknown>>): string[] {
  const texts = Object.entries(files).map(([path, schema]) => ({
    path,
    bytes: Buffer.from(typeof schema === "string" ? schema : JSON.stringify(schema)),
  }));
  return linkFiles(texts).faults.map(({ id, file, pointer = "" }) => `${id} ${file} ${pointer}`);
}

const draft = (name: string) => ({ $schema: `http://json-schema.org/${name}/schema#` });

describe("what becomes a definition", () => {
  test.each<[what: string, files: Record<string, unknown>, names: string[], entryTypes: string[]]>([
    ["a root object", { "task.schema.json": { type: "object" } }, ["Task"], ["Task"]],
    [
      "its title names it",
      { "a.json": { title: "Big task", type: "object" } },
      ["BigTask"],
      ["BigTask"],
    ],
    [
      "a union at the root, and its members",
      {
        "e.json": {
          oneOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }],
          $defs: { a: {}, b: {} },
        },
      },
      ["E", "A", "B"],
      ["E", "A", "B"],
    ],
    [
      "only definitions: those of objects are types of records",
      { "c.json": { definitions: { id: { type: "string" }, user: { properties: { x: {} } } } } },
      ["Id", "User"],
      ["User"],
    ],
    [
      "a root that is a reference",
      { "t.json": { $ref: "#/definitions/Task", definitions: { Task: { type: "object" } } } },
      ["Task"],
      ["Task"],
    ],
    [
      "whatever a reference leads to: a property, an anchor, a place that no keyword names, itself",
      {
        "t.json": {
          properties: {
            a: { properties: { b: { type: "string" } } },
            c: { $ref: "#/properties/a/properties/b" },
            d: { $ref: "#here" },
            e: { $ref: "#/components/schemas/Pet" },
            f: { items: { $ref: "#" } },
            g: { $anchor: "here", type: "null" },
          },
          components: { schemas: { Pet: { type: "boolean" } } },
        },
      },
      ["T", "TAB", "TG", "Pet"],
      ["T"],
    ],
  ])("%s", (_, files, names, entryTypes) => {
    const { definitions, schemas } = createInput(files);
    expect([...definitions.keys()]).toEqual(names);
    expect(schemas[0]?.entryTypes).toEqual(entryTypes);
  });

  test("references across files lead by path, by $id, to whole files and to their parts", () => {
    const nodes = link({
      "a/one.json": {
        properties: {
          x: { $ref: "../b/two.json" },
          y: { $ref: "two.schema.json#/$defs/Part" },
          z: { $ref: "https://example.com/three#/definitions/deep" },
        },
      },
      "a/two.schema.json": { $defs: { Part: { type: "integer" } } },
      "b/two.json": { type: "string" },
      "c.json": {
        ...draft("draft-07"),
        $id: "https://example.com/three",
        definitions: { deep: { items: [{}] } },
      },
    });
    expect(nodes).toEqual({
      One: { properties: { x: { $ref: "BTwo" }, y: { $ref: "Part" }, z: { $ref: "Deep" } } },
      Part: { type: "integer" },
      BTwo: { type: "string" },
      Deep: { prefixItems: [{}] },
    });
  });

  test("a file that another one refers to is read, with what it refers to", () => {
    const disk: Record<string, unknown> = {
      "lib/b.json": { $ref: "c.json#/$defs/C" },
      "lib/c.json": { $defs: { C: { type: "null" }, Other: {} } },
    };
    const read = (path: string) =>
      path in disk ? Buffer.from(JSON.stringify(disk[path])) : undefined;
    const nodes = link({ "a.json": { items: { $ref: "lib/b.json" } } }, { read });
    expect(nodes).toEqual({
      A: { items: { $ref: "B" } },
      B: { $ref: "C" },
      C: { type: "null" },
      Other: {},
    });
  });
});

describe("names", () => {
  test.each<[$defs: Record<string, unknown>, names: string[]]>([
    [
      { "tool-event": {}, tool_event: {}, ToolEvent2: {} },
      ["ToolEvent", "ToolEvent3", "ToolEvent2"],
    ],
    [
      { Record: {}, "1st": {}, Café: {}, 名: {}, "": {} },
      ["Record_", "Schema1st", "Cafe", "Schema", "Schema2"],
    ],
    [{ JSONRPCRequest: {}, "a.b/c~d": {} }, ["JSONRPCRequest", "ABCD"]],
  ])("of %j", (definitions, names) => {
    expect(Object.keys(link({ "a.json": { definitions } }))).toEqual(names);
  });

  test("names that several files have begin with that of the file; a whole file keeps its own", () => {
    const files = {
      "v1/task.json": { type: "object", $defs: { Step: {} } },
      "flow.json": { type: "object", $defs: { Step: {}, Task: {} } },
    };
    expect(Object.keys(link(files))).toEqual(["Task", "TaskStep", "Flow", "FlowStep", "FlowTask"]);
    const { schemas } = createInput({ "a/v1.json": {}, "b/v1.json": {}, "c/class.json": {} });
    expect(schemas.map(({ name }) => name)).toEqual(["a-v1", "b-v1", "class-schema"]);
  });
});

describe("normal form", () => {
  test.each<[what: string, schema: object, node: unknown]>([
    [
      "boolean schemas",
      { items: true, not: false, additionalProperties: false },
      { items: {}, not: { not: {} }, additionalProperties: false },
    ],
    ["a format is an annotation", { format: "date" }, { "x-format": "date" }],
    [
      "draft-07: nothing counts beside a reference",
      { ...draft("draft-07"), items: { $ref: "#", type: "null" } },
      { items: { $ref: "A" } },
    ],
    [
      "2020-12: everything does",
      { items: { $ref: "#", type: "null" } },
      { items: { $ref: "A", type: "null" } },
    ],
    [
      "draft-04: bounds",
      { ...draft("draft-04"), minimum: 1, exclusiveMinimum: true },
      { exclusiveMinimum: 1 },
    ],
    [
      "what is unevaluated alone is additional",
      { properties: { x: {} }, unevaluatedProperties: false },
      { properties: { x: {} }, additionalProperties: false },
    ],
    [
      "what has no effect",
      { else: {}, minContains: 2, $comment: "c", unevaluatedItems: true, nullable: true },
      {},
    ],
    ["nothing to choose from", { ...draft("draft-07"), enum: [] }, { allOf: [{ not: {} }] }],
    [
      "a pattern without the flag u",
      { pattern: "^[\\w\\-\\.\\:]+\\-$" },
      { pattern: "^[\\w\\-\\.:]+-$" },
    ],
    ["line ends", { description: "a\r\nb\u2028c" }, { description: "a\nb\nc" }],
    [
      "__proto__ is a plain name",
      JSON.parse('{"properties": {"__proto__": {"type": "null"}}}'),
      JSON.parse('{"properties": {"__proto__": {"type": "null"}}}'),
    ],
  ])("%s", (_, schema, node) => {
    expect(link({ "a.json": { type: "object", ...schema } })).toEqual({
      A: { type: "object", ...Object(node) },
    });
  });

  test("formats are assertions if the reader or the dialect says so", () => {
    expect(link({ "a.json": { format: "date" } }, { formats: "assert" })).toEqual({
      A: { format: "date" },
    });
  });
});

test.each<[what: string, files: Record<string, unknown>, faults: string[]]>([
  [
    "what is no schema among definitions of an older draft",
    { "a.json": { ...draft("draft-07"), $defs: { a: "text" }, items: { $ref: "#/$defs/a" } } },
    ["ref a.json /items/$ref"],
  ],
  [
    "texts that are no schema",
    { "a.json": "{", "b.json": "[]", "c.json": '{"a":1,"a":2}' },
    ["json a.json ", "type b.json ", "duplicate-key c.json /a"],
  ],
  [
    "two files with one $id",
    { "a.json": { $id: "urn:a" }, "b.json": { $id: "urn:a" } },
    ["schema b.json /$id"],
  ],
  [
    "a keyword of draft-04 with a wrong value",
    { "a.json": { ...draft("draft-04"), properties: { x: { required: true } } } },
    ["schema a.json /properties/x/required"],
  ],
  [
    "references that lead nowhere, all of them",
    { "a.json": { items: { $ref: "#/$defs/x" }, not: { $ref: "b.json" } } },
    ["ref a.json /items/$ref", "ref a.json /not/$ref"],
  ],
  [
    "references without end",
    { "a.json": { $defs: { a: { $ref: "#/$defs/b" }, b: { anyOf: [{ $ref: "#/$defs/a" }] } } } },
    ["recursion a.json /$defs/b/anyOf/0/$ref"],
  ],
  [
    "what is not evaluated beside alternatives",
    { "a.json": { anyOf: [{ properties: { x: {} } }, {}], unevaluatedProperties: false } },
    ["keyword a.json /unevaluatedProperties"],
  ],
  [
    "a constant that no double holds",
    { "a.json": '{"enum": [12345678901234567890]}' },
    ["keyword a.json /enum"],
  ],
  [
    "places as written, whatever the draft",
    {
      "a.json": {
        ...draft("draft-07"),
        items: [{}, { $ref: "#/x" }],
        additionalItems: { $ref: "#/y" },
      },
    },
    ["ref a.json /items/1/$ref", "ref a.json /additionalItems/$ref"],
  ],
])("faults: %s", (_, files, faults) => {
  expect(find(files)).toEqual(faults);
});
