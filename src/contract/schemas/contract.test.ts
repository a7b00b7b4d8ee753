import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject } from "../../base/json/value.js";
import { packageRoot } from "../../base/package.js";
import { runCount } from "../../base/testing/run-count.js";
import { validatorOf } from "../compat/ajv/ajv.js";
import { SchemaSet } from "../compat/schema/schema-set.js";
import { isSchema, type Schema } from "../compat/schema/subschemas.js";
import { arbitrarySchema, arbitraryValue } from "../compat/testing/arbitrary-schema.js";
import { toContract } from "./contract.js";
import { toCanonicalText } from "./json-text.js";
import { readJsonFile } from "./read-json-file.js";
import { readRegistry } from "./registry.js";

interface Vector {
  readonly why: string;
  /** Whether all schemas have the same contract; otherwise all contracts differ. */
  readonly equal: boolean;
  readonly schemas: readonly Schema[];
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL("../../../fixtures/hashes/contract.json", import.meta.url), "utf8"),
);

function contractText(schema: unknown): string {
  return toCanonicalText(toContract(schema));
}

function contractOf(schema: Schema): Schema {
  const contract = toContract(schema);
  if (!isSchema(contract)) throw new TypeError("the contract of a schema is none");
  return contract;
}

function isValid(schema: Schema, value: unknown): boolean | undefined {
  return validatorOf(new SchemaSet().add(schema, "test:/schema")).isValid(value);
}

test("the vectors have equal and different contracts", () => {
  expect(new Set(vectors.map(({ equal }) => equal)).size).toBe(2);
});

test.each(vectors)("$why", ({ equal, schemas }) => {
  expect(schemas.length).toBeGreaterThan(1);
  expect(new Set(schemas.map(contractText)).size).toBe(equal ? 1 : schemas.length);
});

test("reducing a contract does not change it", () => {
  for (const schema of vectors.flatMap(({ schemas }) => schemas)) {
    expect(contractText(toContract(schema))).toBe(contractText(schema));
  }
});

describe("a contract gives the verdicts of its schema", () => {
  test("on any value", () => {
    fc.assert(
      fc.property(
        arbitrarySchema,
        fc.array(arbitraryValue, { minLength: 1, maxLength: 5 }),
        (schema, values) => {
          const contract = contractOf(schema);
          for (const value of values) expect(isValid(contract, value)).toBe(isValid(schema, value));
        },
      ),
      { numRuns: runCount(300, 40), seed: 20260101 },
    );
  });

  test("and annotations, order and unused definitions do not change it", () => {
    fc.assert(
      fc.property(arbitrarySchema, (schema) => {
        const described = { description: "d", $defs: { Unused: true }, allOf: [schema, true] };
        const other = { allOf: [true, schema], title: "t" };
        expect(contractText(described)).toBe(contractText(other));
      }),
      { numRuns: runCount(100, 30), seed: 20260101 },
    );
  });
});

test("the contracts of the published schemas keep all definitions, because others refer to them", () => {
  const { schemas } = readRegistry(packageRoot());
  expect(schemas.length).toBeGreaterThan(0);
  for (const { file } of schemas) {
    const { value } = readJsonFile(packageRoot(), file);
    const contract = toContract(value);
    const definitions = isJsonObject(contract) ? contract.$defs : undefined;
    expect(Object.keys(definitions ?? {}).sort()).toEqual(Object.keys(value.$defs ?? {}).sort());
  }
});
