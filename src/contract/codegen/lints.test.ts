import { afterEach, describe, expect, test } from "vitest";
import { linkFiles } from "./front/link-files.js";
import { linkOwnSchemas } from "./front/own-schemas.js";
import { findSchemaFaults, lints } from "./lints.js";
import { ExtraRepository } from "./testing/extra-repository.js";

describe("findSchemaFaults", () => {
  const repositories: ExtraRepository[] = [];

  afterEach(() => {
    for (const repository of repositories.splice(0)) repository.remove();
  });

  /** The findings for the repository's schemas and this one, each as `id pointer`. */
  function find(schema: unknown): string[] {
    const repository = new ExtraRepository(schema);
    repositories.push(repository);
    return findSchemaFaults(linkOwnSchemas(repository.root)).faults.map(
      ({ id, file, pointer = "" }) => {
        expect(file).toBe("schema/extra.schema.json");
        return `${id} ${pointer}`;
      },
    );
  }

  /** A valid schema with these members in its type `Extra`, and these additional definitions. */
  function schemaOf(changes: object, $defs: object = {}, root: object = {}): object {
    const properties = { a: { description: "A text.", type: "string" } };
    return {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://example.com/schemas/extra/v1",
      title: "extra/v1",
      description: "An extra schema.",
      anyOf: [{ $ref: "#/$defs/Extra" }],
      $defs: { Extra: { description: "Extra.", type: "object", properties, ...changes }, ...$defs },
      ...root,
    };
  }

  /** The same with one property `a`. */
  function fieldOf(node: object, $defs: object = {}): object {
    return schemaOf({ properties: { a: { description: "A field.", ...node } } }, $defs);
  }

  const A = "/$defs/Extra/properties/a";

  test("a plain schema has no findings, and all of it is examined", () => {
    expect(find(schemaOf({}))).toEqual([]);
    const [repository] = repositories;
    const { schemaCount, locationCount } = findSchemaFaults(linkOwnSchemas(repository?.root ?? ""));
    expect(schemaCount).toBeGreaterThan(3);
    expect(locationCount).toBeGreaterThan(100);
  });

  test.each<[fault: string, schema: unknown, found: string[]]>([
    ["not JSON", "{", ["json "]],
    ["no schema", schemaOf({ type: "strin" }), ["schema /$defs/Extra/type"]],
    ["a different dialect", schemaOf({}, {}, { $schema: "http://x" }), ["schema /$schema"]],
    ["no description of the schema", schemaOf({}, {}, { description: " " }), ["description "]],
    [
      "a type and a field without description, and an unknown keyword",
      schemaOf({ description: undefined, properties: { "a/b": { type: "string", minLenght: 1 } } }),
      [
        "keyword /$defs/Extra/properties/a~1b/minLenght",
        "description /$defs/Extra",
        "description /$defs/Extra/properties/a~1b",
      ],
    ],
    [
      "a type that is called otherwise in code, and a record type without fields",
      schemaOf(
        { properties: undefined },
        { "a-b": { description: "B.", type: "object" } },
        {
          anyOf: [{ $ref: "#/$defs/Extra" }, { $ref: "#/$defs/a-b" }],
        },
      ),
      ["name /$defs/a-b", "entry-type /$defs/Extra", "entry-type /$defs/a-b"],
    ],
    [
      "an unused definition",
      schemaOf({}, { Lone: { description: "Alone.", type: "string" } }),
      ["unreachable /$defs/Lone"],
    ],
    [
      "a remote reference, and one without a target",
      schemaOf({
        properties: {
          a: { description: "A.", $ref: "https://example.com/other#/$defs/X" },
          b: { description: "B.", type: "array", items: { $ref: "#/$defs/Nothing" } },
        },
      }),
      [`ref ${A}/$ref`, "ref /$defs/Extra/properties/b/items/$ref"],
    ],
    [
      "a recursion of bases",
      schemaOf(
        { allOf: [{ $ref: "#/$defs/B" }] },
        { B: { description: "B.", type: "object", allOf: [{ $ref: "#/$defs/Extra" }] } },
      ),
      ["recursion /$defs/B/allOf/0/$ref"],
    ],
    ["an invalid pattern", fieldOf({ type: "string", pattern: "(" }), [`schema ${A}/pattern`]],
    [
      "a pattern with a different meaning in Python",
      fieldOf({ type: "string", pattern: "(?<=a)b" }),
      [`pattern ${A}/pattern`],
    ],
    [
      "a pattern that takes exponential time",
      fieldOf({ type: "string", pattern: "^(a|a)*$" }),
      [`backtracking ${A}/pattern`],
    ],
    [
      "a pattern that takes quadratic time",
      fieldOf({ type: "string", pattern: "a+$" }),
      [`backtracking ${A}/pattern`],
    ],
    [
      "an unknown x-redact",
      fieldOf({ type: "string", "x-redact": "secret" }),
      [`redaction ${A}/x-redact`],
    ],
    [
      "an x-redact that is not text",
      fieldOf({ type: "string", "x-redact": true }),
      [`redaction ${A}/x-redact`],
    ],
    [
      "a record that is a field",
      fieldOf({ type: "object", "x-redact": "record" }),
      [`redaction ${A}/x-redact`],
    ],
    [
      "an identifier that is a number, of another definition",
      fieldOf(
        { $ref: "#/$defs/B", "x-redact": "identifier" },
        { B: { description: "B.", type: "integer" } },
      ),
      [`redaction ${A}/x-redact`],
    ],
    [
      "a text without a pattern",
      fieldOf({ type: "string", "x-redact": "fixed" }),
      [`redaction ${A}/x-redact`],
    ],
    [
      "measures on a string",
      fieldOf({ type: "string", "x-redact": "measures" }),
      [`redaction ${A}/x-redact`],
    ],
    [
      "an x-redact without effect",
      fieldOf({
        type: "object",
        additionalProperties: { type: "string", "x-redact": "identifier" },
      }),
      [`redaction ${A}/additionalProperties/x-redact`],
    ],
    [
      "a text with hidden characters",
      fieldOf({ description: "\u0007" }),
      [`schema ${A}/description`],
    ],
    [
      "several keywords that are no JSON Schema",
      schemaOf({ type: "strin", required: "a", properties: { a: { minLength: -1 } } }),
      [
        ...["schema /$defs/Extra/properties/a/minLength", "schema /$defs/Extra/type"],
        "schema /$defs/Extra/required",
      ],
    ],
    [
      "a reference to no definition",
      { ...schemaOf({}), anyOf: [{ $ref: "#/$defs/Extra" }, { $ref: "#/$defs/A" }] },
      ["ref /anyOf/1/$ref"],
    ],
    [
      "several repeated keys",
      '{"title": "a", "title": "b", "$defs": {"A": {}, "A": {}}}',
      ["duplicate-key /title", "duplicate-key /$defs/A"],
    ],
    [
      "several hidden characters",
      fieldOf({ description: "\u0007", title: "\u0008" }),
      [`schema ${A}/description`, `schema ${A}/title`],
    ],
    [
      "a broken reference, and a format that not every language asserts",
      fieldOf({ $ref: "#/$defs/Nowhere", format: "regex" }),
      [`ref ${A}/$ref`, `format ${A}/format`],
    ],
  ])("%s", (_fault, schema, found) => {
    expect(find(schema)).toEqual(found);
  });

  test("every meaningful x-redact is valid", () => {
    const field = (node: object): object => ({ description: "A field.", ...node });
    const properties = {
      a: field({ type: "string", "x-redact": "identifier" }),
      b: field({ type: ["string", "null"], "x-redact": "identifier" }),
      c: field({ type: "string", pattern: "^a$", "x-redact": "fixed" }),
      d: field({ type: "object", "x-redact": "measures" }),
      e: field({ type: "integer", "x-redact": "open" }),
      f: field({ $ref: "#/$defs/Id", "x-redact": "open" }),
    };
    const Id = { description: "An id.", type: "string", "x-redact": "identifier" };
    expect(find(schemaOf({ properties, "x-redact": "record" }, { Id }))).toEqual([]);
  });

  test("an extremely nested JSON value gives one finding", () => {
    const depth = 5000;
    const text = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(find(text)).toEqual([expect.stringMatching(/^schema \/a\/0\/0/)]);
  });

  test("many paths to one definition do not take longer", () => {
    const depth = 60;
    const names = Array.from({ length: depth }, (_, at) => `Layer${at}`);
    const $defs = names.map((name, at) => {
      const next = { description: "Next.", $ref: `#/$defs/${names[at + 1] ?? "Leaf"}` };
      return [name, { description: "A layer.", type: "object", properties: { a: next, b: next } }];
    });
    const Leaf = { description: "A leaf.", type: "string" };
    const schema = fieldOf({ $ref: "#/$defs/Layer0" }, { ...Object.fromEntries($defs), Leaf });
    expect(find(schema)).toEqual([]);
  });

  test("many paths to a base do not take longer", () => {
    const depth = 60;
    const names = Array.from({ length: depth }, (_, at) => `Layer${at}`);
    const $defs = names.map((name, at) => {
      const base = { $ref: `#/$defs/${names[at + 1] ?? "Root"}` };
      return [name, { description: "A layer.", type: "object", allOf: [base, base] }];
    });
    const Root = { description: "A root.", type: "object" };
    const schema = schemaOf(
      { allOf: [{ $ref: "#/$defs/Layer0" }] },
      { ...Object.fromEntries($defs), Root },
    );
    expect(find(schema)).toEqual([]);
  });
});

describe("of schemas of other owners", () => {
  const find = (schema: object) => {
    const bytes = Buffer.from(JSON.stringify(schema));
    return findSchemaFaults(linkFiles([{ path: "a.json", bytes }]), false);
  };

  test("descriptions, names and unused definitions are their own affair", () => {
    const { faults, locationCount } = find({
      nullable: true,
      $defs: { "a-b": { type: "string" } },
    });
    expect([faults, locationCount]).toEqual([[], 1]);
  });

  test("an object that does not say that it is one is a warning, but not a part of an alternative", () => {
    const open = { properties: { x: { required: ["y"] } } };
    const { faults, warnings } = find({ ...open, anyOf: [open, { if: open, else: open }] });
    expect(faults).toEqual([]);
    expect(warnings.map(({ id, pointer }) => `${id} ${pointer}`)).toEqual([
      "untyped /properties",
      "untyped /properties/x/required",
      "untyped /anyOf/0/properties/x/required",
      "untyped /anyOf/1/if/properties/x/required",
      "untyped /anyOf/1/else/properties/x/required",
    ]);
    expect(warnings[0]?.message).toBe(
      'has "properties" without a type, so it accepts every text, number and array: add "type": "object"',
    );
  });
});

test("there are lints, each with a unique id", () => {
  expect(lints.length).toBeGreaterThan(0);
  expect(new Set(lints.map(({ id }) => id)).size).toBe(lints.length);
});
