import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject } from "../json/value.js";
import { runCount } from "../testing/run-count.js";
import { compileSchema } from "./schema/ajv.js";
import { isSchema, type Schema, type SchemaLocation, SchemaSet } from "./schema/schema-set.js";
import { SchemaClasses } from "./solver/schema-classes.js";
import { arbitraryPair, arbitraryValue } from "./testing/arbitrary-schema.js";
import { ClassValidators } from "./validators.js";

const node = {
  properties: {
    a: { $ref: "one" },
    b: { $ref: "one" },
    c: { allOf: [{ $ref: "other" }, { $ref: "one" }] },
    d: { type: "array", items: { $ref: "#/$defs/node" } },
  },
  unevaluatedProperties: { $ref: "other" },
};

/** Both schemas, each at several places, and in a circle. */
const several: Schema = {
  $defs: { node },
  anyOf: [{ $ref: "#/$defs/node" }, { allOf: [{ $ref: "one" }], not: { $ref: "other" } }],
};

function rootsOf(one: Schema, other: Schema): SchemaLocation[] {
  const set = new SchemaSet();
  const [first, second] = [set.add(one, "test:/one"), set.add(other, "test:/other")];
  return [first, second, set.add(several, "test:/several")];
}

/** What is left of a schema without the keywords for which it would not be parted. */
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

test("what is compiled once for several schemas says what each of them says, as it stands", () => {
  const values = fc
    .sample(arbitraryValue, { seed: 1, numRuns: 60 })
    .flatMap((value) => [value, { a: value, c: value }, { b: value, d: [{ e: value }] }]);
  const counts = { valid: 0, invalid: 0, parted: 0 };
  const numRuns = runCount(150);
  fc.assert(
    fc.property(arbitraryPair, ([one, other]) => {
      const judges = new ClassValidators(new SchemaClasses());
      const pair = [strip(one), strip(other)] as const;
      for (const root of [...rootsOf(...pair), ...rootsOf(pair[1], pair[0])]) {
        if (judges.compilesSeparately(root.set)) counts.parted += 1;
        const judge = judges.of(root);
        const plain = judgeAsItStands(root);
        const verdicts = values.map((value) => judge.isValid(value));
        expect(values.filter((value, at) => plain(value) !== verdicts[at])).toEqual([]);
        for (const verdict of verdicts) {
          if (verdict !== undefined) counts[verdict ? "valid" : "invalid"] += 1;
        }
      }
    }),
    { seed: 1, numRuns },
  );
  expect(counts.parted).toBeGreaterThan(numRuns * 5);
  expect(counts.valid).toBeGreaterThan(numRuns * 200);
  expect(counts.invalid).toBeGreaterThan(numRuns * 200);
});

/** An Ajv of its own, with other options than ours. */
function judgeAsItStands({ set, uri }: SchemaLocation): (value: unknown) => boolean | undefined {
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
  ["a name of its own", { $id: "b", type: "string" }],
  ["an anchor", { $anchor: "b", type: "string" }],
  ["what Ajv alone knows", { type: "string", nullable: true }],
  ["what nobody knows", { unknown: { type: "string" } }],
  ["what Ajv refuses", { enum: [] }],
  ["the name of a prototype", JSON.parse('{ "__proto__": { "type": "string" } }')],
])("is compiled as it stands: %s", (_, schema) => {
  const root = new SchemaSet().add({ properties: { a: schema } }, "test:/schema");
  const judges = new ClassValidators(new SchemaClasses());
  expect(judges.compilesSeparately(root.set)).toBe(false);
  const plain = compileSchema(root);
  for (const value of [1, { a: {} }, { a: { "": 1 } }, { a: 1 }, { a: null }, { a: [1] }]) {
    expect(judges.of(root).isValid(value)).toBe(plain.isValid(value));
  }
});

test("annotations, a document's own name and definitions do not matter", () => {
  const root = new SchemaSet().add(
    {
      $id: "https://a.example/a",
      title: "A",
      properties: { a: { $ref: "#/$defs/b", "x-rank": 1 } },
      $defs: { b: { format: "uuid", default: 1 } },
    },
    "test:/schema",
  );
  const judges = new ClassValidators(new SchemaClasses());
  expect(judges.compilesSeparately(root.set)).toBe(true);
  expect(judges.of(root).isValid({ a: "no uuid" })).toBe(true);
});
