import fc from "fast-check";
import { isJsonObject } from "../../../base/json/value.js";
import { arbitrarySchema, arbitraryValue } from "../../compat/testing/arbitrary-schema.js";
import { createRandom, mutateValue, sampleValue } from "../../compat/testing/sample-values.js";
import { SINGLE_APPLICATORS } from "../../schemas/keywords.js";
import { mapSubschemas, type SchemaNode } from "../../schemas/nodes.js";

/** Number of values of either kind. */
const VALUES = 40;

/** Random schemas with all keywords that are generated, always the same for a seed. */
export function sampleSchemas(seed: number, count: number): SchemaNode[] {
  return fc
    .sample(arbitrarySchema, { seed, numRuns: count })
    .map((schema): SchemaNode => Object(simplify(schema)));
}

/** Without the keywords that the profile does not have. */
function simplify(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplify);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !keyword.startsWith("unevaluated"));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, simplify(value)]));
}

/** Name of a definition of a schema. */
export function toName(name: string, number: number): string {
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
export function toNodes(schemas: readonly SchemaNode[]): Record<string, SchemaNode> {
  const nodes = schemas.flatMap(({ $defs = {}, ...root }, number) =>
    Object.entries({ root, ...$defs }).map(([name, schema]) => [
      toName(name, number),
      toNode(schema, number),
    ]),
  );
  return Object.fromEntries(nodes);
}

/** Values, about half of which are meant to be valid under a schema. */
export function valuesOf(schema: SchemaNode, number: number): unknown[] {
  const random = createRandom(number);
  const types = Object.fromEntries(
    Object.entries(schema.$defs ?? {}).map(([name, each]) => [`#/$defs/${name}`, Object(each)]),
  );
  const likely = Array.from({ length: VALUES }, () => {
    const value = sampleValue(schema, types, random) ?? null;
    return random() < 0.5 ? (mutateValue(value, random) ?? null) : value;
  });
  const values = [...likely, ...fc.sample(arbitraryValue, { seed: number, numRuns: VALUES })];
  return values.map((value): unknown => JSON.parse(JSON.stringify(value)));
}
