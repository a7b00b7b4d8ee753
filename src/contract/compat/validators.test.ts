import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject } from "../../base/json/value.js";
import { runCount } from "../../base/testing/run-count.js";
import { compileSchema } from "./ajv/ajv.js";
import { isSchema, type Schema, type SchemaLocation, SchemaSet } from "./schema/schema-set.js";
import { SchemaClasses } from "./solver/schema-classes.js";
import { arbitraryPair, arbitraryValue } from "./testing/arbitrary-schema.js";
import { ClassValidators } from "./validators.js";

describe("validators", () => {
  const node = {
    properties: {
      a: { $ref: "one" },
      b: { $ref: "one" },
      c: { allOf: [{ $ref: "other" }, { $ref: "one" }] },
      d: { type: "array", items: { $ref: "#/$defs/node" } },
    },
    unevaluatedProperties: { $ref: "other" },
  };

  /** Both schemas, each at several places, and in a cycle. */
  const several: Schema = {
    $defs: { node },
    anyOf: [{ $ref: "#/$defs/node" }, { allOf: [{ $ref: "one" }], not: { $ref: "other" } }],
  };

  function rootsOf(one: Schema, other: Schema): SchemaLocation[] {
    const set = new SchemaSet();
    const [first, second] = [set.add(one, "test:/one"), set.add(other, "test:/other")];
    return [first, second, set.add(several, "test:/several")];
  }

  /** A schema without the keywords that would prevent separate compilation. */
  function strip(schema: Schema): Schema {
    const value: unknown = JSON.parse(JSON.stringify(schema), (_, each) => {
      if (!isJsonObject(each)) return each;
      const { contains, minContains, maxContains, dependentSchemas, unevaluatedItems, ...left } =
        each;
      const { if: condition, then, else: otherwise, dependencies, $dynamicRef, ...plain } = left;
      return plain;
    });
    return isSchema(value) ? value : {};
  }

  test("separately compiled schemas give the verdicts of the whole schema", () => {
    const values = fc
      .sample(arbitraryValue, { seed: 1, numRuns: 60 })
      .flatMap((value) => [value, { a: value, c: value }, { b: value, d: [{ e: value }] }]);
    const counts = { valid: 0, invalid: 0, separate: 0 };
    const numRuns = runCount(150);
    fc.assert(
      fc.property(arbitraryPair, ([one, other]) => {
        const validators = new ClassValidators(new SchemaClasses());
        const pair = [strip(one), strip(other)] as const;
        for (const root of [...rootsOf(...pair), ...rootsOf(pair[1], pair[0])]) {
          if (validators.compilesSeparately(root.set)) counts.separate += 1;
          const validator = validators.of(root);
          const plain = plainValidator(root);
          const verdicts = values.map((value) => validator.isValid(value));
          expect(values.filter((value, at) => plain(value) !== verdicts[at])).toEqual([]);
          for (const verdict of verdicts) {
            if (verdict !== undefined) counts[verdict ? "valid" : "invalid"] += 1;
          }
        }
      }),
      { seed: 1, numRuns },
    );
    expect(counts.separate).toBeGreaterThan(numRuns * 5);
    expect(counts.valid).toBeGreaterThan(numRuns * 200);
    expect(counts.invalid).toBeGreaterThan(numRuns * 200);
  });

  /** An independent Ajv, with other options. */
  function plainValidator({ set, uri }: SchemaLocation): (value: unknown) => boolean | undefined {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
    for (const [id, schema] of set.documents()) ajv.addSchema(schema, id);
    return (value) => {
      try {
        return ajv.getSchema(uri)?.(value) === true;
      } catch {
        return undefined;
      }
    };
  }

  test.each<[string, Schema]>([
    ["contains", { type: "array", contains: { $comment: "anything" }, unevaluatedItems: false }],
    ["unevaluatedItems", { prefixItems: [true], unevaluatedItems: false }],
    ["if", { if: { required: ["b"] }, unevaluatedProperties: false }],
    ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }],
    ["a dynamic reference", { $dynamicRef: "#node", $dynamicAnchor: "node" }],
    ["a required property with the empty name", { required: [""] }],
    ["its own $id", { $id: "b", type: "string" }],
    ["an anchor", { $anchor: "b", type: "string" }],
    ["a keyword that only Ajv knows", { type: "string", nullable: true }],
    ["an unknown keyword", { unknown: { type: "string" } }],
    ["a schema that Ajv refuses", { enum: [] }],
    ["the name of a prototype", JSON.parse('{ "__proto__": { "type": "string" } }')],
  ])("compiled as a whole: %s", (_, schema) => {
    const root = new SchemaSet().add({ properties: { a: schema } }, "test:/schema");
    const validators = new ClassValidators(new SchemaClasses());
    expect(validators.compilesSeparately(root.set)).toBe(false);
    const plain = compileSchema(root);
    for (const value of [1, { a: {} }, { a: { "": 1 } }, { a: 1 }, { a: null }, { a: [1] }]) {
      expect(validators.of(root).isValid(value)).toBe(plain.isValid(value));
    }
  });

  test("annotations, the document's $id and definitions do not prevent separate compilation", () => {
    const root = new SchemaSet().add(
      {
        $id: "https://a.example/a",
        title: "A",
        properties: { a: { $ref: "#/$defs/b", "x-rank": 1 } },
        $defs: { b: { format: "uuid", default: 1 } },
      },
      "test:/schema",
    );
    const validators = new ClassValidators(new SchemaClasses());
    expect(validators.compilesSeparately(root.set)).toBe(true);
    expect(validators.of(root).isValid({ a: "no uuid" })).toBe(true);
  });
});
