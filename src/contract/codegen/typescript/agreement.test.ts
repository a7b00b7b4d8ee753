import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject } from "../../../base/json/value.js";
import { runCount } from "../../../base/testing/run-count.js";
import { validatorOf } from "../../compat/ajv/ajv.js";
import { loadVersion } from "../../compat/load-version.js";
import { arbitrarySchema, arbitraryValue } from "../../compat/testing/arbitrary-schema.js";
import { createRandom, mutateValue, sampleValue } from "../../compat/testing/sample-values.js";
import { SINGLE_APPLICATORS } from "../../schemas/keywords.js";
import { mapSubschemas, type SchemaNode } from "../../schemas/nodes.js";
import { NodeModule } from "../testing/node-module.js";

/** Number of schemas that are printed into one module, and of values for each. */
const SCHEMAS = runCount(3000, 150);
const VALUES = 60;

const options = { seed: 20_261_127, numRuns: SCHEMAS };

/** Without the keywords that the profile does not have. */
function simplify(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplify);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !keyword.startsWith("unevaluated"));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, simplify(value)]));
}

function toName(name: string, number: number): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${number}`;
}

/** The normal form of a schema. */
function toNode(schema: SchemaNode | boolean, number: number): SchemaNode {
  if (typeof schema === "boolean") return schema ? {} : { not: {} };
  const singles = Object.entries(schema).filter(
    ([keyword, value]) => typeof value === "boolean" && SINGLE_APPLICATORS.includes(keyword),
  );
  const converted = singles
    .filter(([keyword]) => keyword !== "additionalProperties")
    .map(([keyword, value]) => [keyword, toNode(value, number)]);
  const { $ref, ...rest } = {
    ...mapSubschemas(schema, (child) => toNode(child, number)),
    ...Object.fromEntries(converted),
  };
  return $ref === undefined
    ? rest
    : { ...rest, $ref: toName($ref.replace("#/$defs/", ""), number) };
}

/** All definitions of some schemas: the root of schema 7 is `Root7`. */
function toNodes(schemas: readonly SchemaNode[]): Record<string, SchemaNode> {
  const nodes = schemas.flatMap(({ $defs = {}, ...root }, number) =>
    Object.entries({ root, ...$defs }).map(([name, schema]) => [
      toName(name, number),
      toNode(schema, number),
    ]),
  );
  return Object.fromEntries(nodes);
}

function valuesOf(schema: SchemaNode, number: number): unknown[] {
  const random = createRandom(number);
  const types = Object.fromEntries(
    Object.entries(schema.$defs ?? {}).map(([name, each]) => [`#/$defs/${name}`, Object(each)]),
  );
  const likely = Array.from({ length: VALUES }, () => {
    const value = sampleValue(schema, types, random) ?? null;
    return random() < 0.5 ? (mutateValue(value, random) ?? null) : value;
  });
  return [...likely, ...fc.sample(arbitraryValue, { seed: number, numRuns: VALUES })];
}

test("guards, the faults that are found, and Ajv agree on random schemas and values", async () => {
  const schemas = fc
    .sample(arbitrarySchema, options)
    .map((schema): SchemaNode => Object(simplify(schema)));
  const module = await NodeModule.load(toNodes(schemas));
  const counts = { valid: 0, invalid: 0, undecided: 0 };
  for (const [number, schema] of schemas.entries()) {
    const { root } = loadVersion({ name: "a.json", text: JSON.stringify(schema), others: [] });
    const { isValid } = validatorOf(root);
    for (const given of valuesOf(schema, number)) {
      const value: unknown = JSON.parse(JSON.stringify(given));
      const expected = isValid(value);
      if (expected === undefined) counts.undecided += 1;
      else counts[expected ? "valid" : "invalid"] += 1;
      const name = toName("root", number);
      const faults = module.findErrors(name, value);
      const said = { guard: module.is(name, value), faults: faults.length === 0 };
      const shown = JSON.stringify({ schema, value, faults });
      expect(said, shown).toEqual({ guard: expected, faults: expected });
      for (const { message, cause } of faults) expect([message, cause], shown).not.toContain("");
    }
  }
  module.remove();
  expect(counts.valid).toBeGreaterThan(SCHEMAS);
  expect(counts.invalid).toBeGreaterThan(SCHEMAS);
  expect(counts.undecided).toBeLessThan(SCHEMAS);
});
