import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { runCount } from "../../base/testing/run-count.js";
import { compareVersions } from "./compare-versions.js";
import { loadVersion } from "./load-version.js";
import { HOLE } from "./schema/schema-set.js";
import type { Schema } from "./schema/subschemas.js";
import { arbitrarySchema } from "./testing/arbitrary-schema.js";

function verdictsOf(before: Schema, after: Schema): string {
  const [older, newer] = [before, after].map(
    (schema) =>
      loadVersion({ name: "a.json", text: JSON.stringify(schema), others: [] }, "annotate").root,
  );
  if (older === undefined || newer === undefined) throw new TypeError("two versions are needed");
  const { backward, forward, lenses } = compareVersions(older, newer);
  return `${backward} ${forward} ${lenses["declared-writer"].backward}`;
}

/** Changes every object of a schema, from the inside out. */
function mapObjects(schema: unknown, change: (object: JsonObject) => JsonObject): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    isJsonObject(value) ? change(value) : value,
  );
}

/** Parts that stop the search: parts that nobody can read, overlapping members, patterns that are no language. */
const hard: readonly JsonObject[] = [
  { [HOLE]: "https://a.example/b.json" },
  { pattern: "(a)\\1+$", type: "string" },
  { oneOf: [{ minimum: 1 }, { multipleOf: 0.7 }, { maximum: 12 }] },
  {
    unevaluatedProperties: { pattern: "(b)\\1" },
    anyOf: [{ patternProperties: { "(c)\\1": true } }, true],
  },
  { type: "object", minProperties: 1e9 },
];

test.each<[string, (schema: JsonObject) => Schema]>([
  ["itself", (schema) => schema],
  [
    "keys in another order",
    (schema) => mapObjects(schema, (each) => Object.fromEntries(Object.entries(each).toReversed())),
  ],
  [
    "doubled `allOf`",
    (schema) =>
      mapObjects(schema, (each) =>
        Array.isArray(each.allOf) ? { ...each, allOf: [...each.allOf, ...each.allOf] } : each,
      ),
  ],
  ["the whole twice", ({ $defs, ...schema }) => ({ $defs, allOf: [schema, schema] })],
  [
    "other names of definitions",
    (schema) =>
      JSON.parse(
        JSON.stringify(schema).replaceAll('"one"', '"first"').replaceAll("/one", "/first"),
      ),
  ],
])("a schema is compatible with %s", (_, change) => {
  const arbitraryHard = fc
    .tuple(arbitrarySchema, fc.constantFrom(...hard))
    .map(([schema, part]) => ({
      ...Object(schema),
      properties: { ...Object(schema).properties, z: part },
    }));
  fc.assert(
    fc.property(fc.oneof(arbitrarySchema, arbitraryHard), (schema) => {
      const object = isJsonObject(schema) ? schema : { allOf: [schema] };
      expect(verdictsOf(object, change(object))).toBe("compatible compatible compatible");
    }),
    { seed: 1, numRuns: runCount(100) },
  );
});
