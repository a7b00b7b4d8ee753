import { afterEach, describe, expect, test } from "vitest";
import { findSchemaFaults, lints } from "./lints.js";
import { ExtraRepository } from "./testing/extra-repository.js";

describe("findSchemaFaults", () => {
  const repositories: ExtraRepository[] = [];

  afterEach(() => {
    for (const repository of repositories.splice(0)) repository.remove();
  });

  /** What is wrong with the repository's schemas and this one, each as `id pointer`. */
  function find(schema: unknown): string[] {
    const repository = new ExtraRepository(schema);
    repositories.push(repository);
    return findSchemaFaults(repository.root).faults.map(({ id, file, pointer = "" }) => {
      expect(file).toBe("schema/extra.schema.json");
      return `${id} ${pointer}`;
    });
  }

  /** A schema without a fault, with these members of its type `Extra`, and these definitions beside it. */
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

  test("nothing is wrong with a plain schema, and all of it is looked at", () => {
    expect(find(schemaOf({}))).toEqual([]);
    const [repository] = repositories;
    const { schemaCount, locationCount } = findSchemaFaults(repository?.root ?? "");
    expect(schemaCount).toBeGreaterThan(3);
    expect(locationCount).toBeGreaterThan(100);
  });

  test.each<[fault: string, schema: unknown, found: string[]]>([
    ["not JSON", "{", ["json "]],
    ["no schema", schemaOf({ type: "strin" }), ["schema /$defs/Extra/type"]],
    ["another dialect", schemaOf({}, {}, { $schema: "http://x" }), ["schema /$schema"]],
    ["no description of the schema", schemaOf({}, {}, { description: " " }), ["description "]],
    [
      "no description of a type and of a field, and a keyword that is unknown",
      schemaOf({ description: undefined, properties: { "a/b": { type: "string", minLenght: 1 } } }),
      [
        "keyword /$defs/Extra/properties/a~1b/minLenght",
        "description /$defs/Extra",
        "description /$defs/Extra/properties/a~1b",
      ],
    ],
    ["a oneOf", fieldOf({ oneOf: [{ type: "string" }] }), [`keyword ${A}/oneOf`]],
    [
      "a definition that is part of nothing",
      schemaOf({}, { Lone: { description: "Alone.", type: "string" } }),
      ["unreachable /$defs/Lone"],
    ],
    [
      "a remote reference, and one to nothing",
      schemaOf({
        properties: {
          a: { description: "A.", $ref: "https://example.com/other#/$defs/X" },
          b: { description: "B.", type: "array", items: { $ref: "#/$defs/Nothing" } },
        },
      }),
      [`ref ${A}/$ref`, "ref /$defs/Extra/properties/b/items/$ref"],
    ],
    [
      "a recursion",
      fieldOf(
        { $ref: "#/$defs/B" },
        { B: { description: "B.", type: "array", items: { $ref: "#/$defs/B" } } },
      ),
      ["recursion /$defs/B"],
    ],
    [
      "a recursion of bases",
      schemaOf(
        { allOf: [{ $ref: "#/$defs/B" }] },
        { B: { description: "B.", type: "object", allOf: [{ $ref: "#/$defs/Extra" }] } },
      ),
      ["recursion /$defs/Extra"],
    ],
    ["a pattern that is none", fieldOf({ type: "string", pattern: "(" }), [`pattern ${A}/pattern`]],
    [
      "a pattern that Python reads otherwise",
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
      "an x-redact that nobody knows",
      fieldOf({ type: "string", "x-redact": "secret" }),
      [`redaction ${A}/x-redact`],
    ],
    [
      "an x-redact that is no text",
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
      "a text that nothing fixes",
      fieldOf({ type: "string", "x-redact": "fixed" }),
      [`redaction ${A}/x-redact`],
    ],
    [
      "measures that are one text",
      fieldOf({ type: "string", "x-redact": "measures" }),
      [`redaction ${A}/x-redact`],
    ],
    [
      "an x-redact that is not read",
      fieldOf({
        type: "object",
        additionalProperties: { type: "string", "x-redact": "identifier" },
      }),
      [`redaction ${A}/additionalProperties/x-redact`],
    ],
    ["another keyword of our own", fieldOf({ "x-note": "a" }), [`keyword ${A}/x-note`]],
    [
      "a text that hides something",
      fieldOf({ description: "\u0007" }),
      [`schema ${A}/description`],
    ],
  ])("%s", (_fault, schema, found) => {
    expect(find(schema)).toEqual(found);
  });

  test("every x-redact that says something is in order", () => {
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

  test("a JSON value nested without end ends in one finding", () => {
    const depth = 5000;
    const text = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(find(text)).toEqual([expect.stringMatching(/^schema \/a\/0\/0/)]);
  });

  test("many ways to one definition take no longer", () => {
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

  test("a base that many ways lead to is told, and takes no longer", () => {
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
    expect(find(schema)).toEqual(["Extra", ...names].map((name) => `profile /$defs/${name}/allOf`));
  });
});

test("there are lints, each with an id of its own", () => {
  expect(lints.length).toBeGreaterThan(0);
  expect(new Set(lints.map(({ id }) => id)).size).toBe(lints.length);
});
