import { describe, expect, test } from "vitest";
import { isValid } from "../evaluator/evaluate.js";
import { describeFault, type PartFault, parseSchema } from "./parse-schema.js";
import { HOLE, SchemaSet } from "./schema-set.js";
import type { Schema } from "./subschemas.js";

function parse(schema: object, faults?: string[]): Schema {
  const parts: PartFault[] = [];
  const options = faults && { faults: parts };
  const parsed = parseSchema("a.json", JSON.stringify(schema), { ...options });
  faults?.push(...parts.map(describeFault));
  return parsed.schema;
}

const dialect = (name: string) => ({ $schema: `http://json-schema.org/${name}/schema#` });

describe("a schema of each dialect, a valid and an invalid value", () => {
  test.each<[string, object, unknown, unknown]>([
    ["draft-04", { minimum: 1, exclusiveMinimum: true }, 2, 1],
    ["draft-04", { maximum: 1, exclusiveMaximum: false }, 1, 2],
    [
      "draft-04",
      { id: "http://a.test/", definitions: { b: { id: "#b", type: "null" } } },
      1,
      undefined,
    ],
    [
      "draft-04",
      { properties: { a: { id: "#a", type: "null" }, b: { $ref: "#a" } } },
      {},
      { b: 1 },
    ],
    ["draft-04", { const: 1, contains: false, if: false, else: false, type: "array" }, [1], 1],
    ["draft-06", { const: 1, if: false, else: false }, 1, 2],
    ["draft-06", { id: "#/nonsense", $id: "#/properties/x", type: "null" }, null, 1],
    ["draft-07", { if: { type: "null" }, else: false }, null, 1],
    ["draft-07", { properties: { x: { $id: "#/properties/x", type: "null" } } }, {}, { x: 1 }],
    [
      "draft-07",
      { $ref: "#/definitions/a", type: "null", definitions: { a: { type: "string" } } },
      "",
      null,
    ],
    ["draft-07", { type: "string", nullable: true }, "", null],
    ["draft-07", { dependencies: { a: ["b"] }, minContains: "x" }, { b: 1 }, { a: 1 }],
    ["draft/2019-09", { $ref: "#/$defs/a", type: "null", $defs: { a: true } }, null, 1],
    ["draft/2020-12", { dependencies: { a: ["b"] }, items: { type: "null" } }, { a: 1 }, [1]],
  ])("%s %j", (name, schema, valid, invalid) => {
    const spellings = [
      dialect(name),
      { $schema: dialect(name).$schema.replace("http:", "https:") },
    ];
    for (const { $schema } of [
      ...spellings,
      { $schema: String(spellings[1]?.$schema).replace("#", "") },
    ]) {
      const root = new SchemaSet().add(parse({ $schema, ...schema }), "test:/schema");
      expect(isValid(root, valid)).toBe(true);
      if (invalid !== undefined) expect(isValid(root, invalid)).toBe(false);
    }
  });
});

test.each<[string, object, string, object]>([
  [
    "a keyword",
    { properties: { a: { required: true, type: "null" } } },
    "/properties/a/required: is not a schema of draft-07: must be array",
    { properties: { a: { type: "null", [HOLE]: '"required": true' } } },
  ],
  [
    "a schema of a map",
    { properties: { a: "string", b: true } },
    "/properties/a: is not a schema of draft-07: must be object,boolean",
    { properties: { a: { [HOLE]: '"string"' }, b: true } },
  ],
  [
    "a schema",
    { not: 1 },
    "/not: is not a schema of draft-07: must be object,boolean",
    { not: { [HOLE]: "1" } },
  ],
  [
    "a pattern",
    { pattern: "(?i)x", type: "string" },
    '/pattern: is not a schema of draft-07: "(?i)x" is not an ECMAScript pattern',
    { type: "string", [HOLE]: '"pattern": "(?i)x"' },
  ],
  [
    "a pattern of names",
    { patternProperties: { "(": true }, additionalProperties: false },
    '/patternProperties/(: is not a schema of draft-07: "(" is not an ECMAScript pattern',
    { [HOLE]: '"patternProperties": {"(":true}, "additionalProperties": false' },
  ],
])(
  "%s that the dialect does not allow is refused, or becomes a hole",
  (_, schema, fault, holed) => {
    const whole = { ...dialect("draft-07"), ...schema };
    expect(() => parse(whole)).toThrow(`a.json ${fault}`);
    const faults: string[] = [];
    expect(parse(whole, faults)).toEqual({ ...dialect("draft-07"), ...holed });
    expect(faults).toEqual([`a.json ${fault}`]);
  },
);

test("a pattern that is none with the flag u is one without it", () => {
  const root = new SchemaSet().add(parse({ pattern: "^\\-[a]\\:$" }), "test:/schema");
  expect([isValid(root, "-a:"), isValid(root, "a")]).toEqual([true, false]);
});

test("an embedded document is read in its own dialect", () => {
  const embedded = { ...dialect("draft-07"), $id: "http://a.test/b", dependencies: { a: ["b"] } };
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const bundle = { $schema, $ref: "http://a.test/b", $defs: { x: embedded } };
  const root = new SchemaSet().add(parse(bundle), "test:/schema");
  expect([isValid(root, { a: 1 }), isValid(root, { a: 1, b: 1 })]).toEqual([false, true]);
  const { $id, ...unnamed } = embedded;
  const part = new SchemaSet().add(parse({ $schema, not: { not: unnamed } }), "test:/schema");
  expect(isValid(part, { a: 1 })).toBe(true);
});

describe("each dialect says what its schemas may be", () => {
  const none = undefined;
  test.each<[schema: object, ...faults: (string | undefined)[]]>([
    // draft-04, 06, 07, 2019-09
    [{ properties: { a: true } }, "/properties/a", none, none, none],
    [{ additionalProperties: false, items: [{}], additionalItems: false }, none, none, none, none],
    [{ required: [] }, "/required", none, none, none],
    [{ exclusiveMinimum: 3, minimum: 3 }, "/exclusiveMinimum", none, none, none],
    [{ exclusiveMaximum: true, not: { not: 1 } }, "/exclusiveMaximum", "/exclusiveMaximum"],
    [{ dependencies: { a: [] } }, "/dependencies/a", none, none, none],
    [{ enum: [] }, "/enum", none, none, none],
    [{ items: [{ type: "any" }] }, ...Array(4).fill("/items/0/type")],
    [{ dependencies: { a: { pattern: "(" } } }, ...Array(3).fill("/dependencies/a/pattern")],
    [{ items: [{}], additionalItems: { items: 1 } }, ...Array(4).fill("/additionalItems/items")],
    [{ definitions: { a: { $ref: "#", type: "any" } } }, none, none, none, "/definitions/a/type"],
    [{ examples: 1 }, none, "/examples", "/examples", "/examples"],
    [{ $comment: 1, readOnly: 1 }, none, none, "/$comment", "/$comment"],
    [{ $defs: 1, deprecated: "2", contentSchema: 1 }, none, none, none, "/$defs"],
  ])("%j", (schema, ...faults) => {
    const names = ["draft-04", "draft-06", "draft-07", "draft/2019-09"].slice(0, faults.length);
    const found = names.map((name) => {
      const messages: string[] = [];
      const parsed = parse({ ...dialect(name), ...schema }, messages);
      expect(JSON.stringify(parsed).includes(HOLE)).toBe(messages.length > 0);
      return messages[0]?.replace(/^a\.json |: is not a schema of .*$/g, "");
    });
    expect(found).toEqual(faults);
  });
});

test("an embedded document of an unknown dialect is a fault, and keeps its name", () => {
  const embedded = { $id: "https://a.example/b", $schema: "https://a.example/meta", type: 1 };
  const faults: string[] = [];
  const schema = parse({ $ref: embedded.$id, $defs: { x: embedded } }, faults);
  const said = "the dialect https://a.example/meta is not known";
  expect(faults).toEqual([`a.json /$defs/x: is not a schema of draft 2020-12: ${said}`]);
  expect(isValid(new SchemaSet().add(schema, "test:/schema"), 1)).toBe(undefined);
  // What is no schema may say whatever it likes.
  const values = {
    const: embedded,
    default: embedded,
    "x-example": embedded,
    default2: [embedded],
  };
  expect(parse({ properties: { default: true }, ...values })).toMatchObject(values);
});
