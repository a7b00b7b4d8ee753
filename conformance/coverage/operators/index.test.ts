import { describe, expect, test } from "vitest";
import { unitsOf } from "../../../src/base/testing/exports-of.js";
import { linkTypes } from "../../../src/contract/codegen/testing/link-types.js";
import type { Definitions } from "../../../src/contract/schemas/definitions.js";
import type { SchemaNode } from "../../../src/contract/schemas/nodes.js";
import { Judge } from "../../judge.js";
import { distinguish } from "../distinguish.js";
import { isSameSet } from "../mutants.js";
import { operators } from "./index.js";
import { type Change, isEquivalence } from "./operator.js";

/** For each keyword, a node that has it and a value that is valid there. */
const SAMPLES: Readonly<Record<string, readonly [SchemaNode, unknown]>> = {
  $ref: [{ $ref: "Text" }, "a"],
  type: [{ type: ["integer", "null"] }, 1],
  enum: [{ enum: ["a", "b"] }, "a"],
  const: [{ const: "a" }, "a"],
  required: [
    { type: "object", properties: { a: {}, b: {} }, required: ["a"] },
    { a: 1, b: 1 },
  ],
  properties: [{ type: "object", properties: { a: {} } }, {}],
  additionalProperties: [{ type: "object", additionalProperties: { type: "integer" } }, {}],
  items: [{ type: "array", items: { type: "string" } }, []],
  minItems: [{ type: "array", minItems: 2 }, [1, 2, 3]],
  maxItems: [{ type: "array", maxItems: 2 }, []],
  minLength: [{ type: "string", minLength: 2 }, "abc"],
  maxLength: [{ type: "string", maxLength: 2 }, "a"],
  pattern: [{ type: "string", pattern: "^[a-f]{2}$" }, "ab"],
  format: [{ type: "string", format: "date" }, "2026-01-31"],
  minimum: [{ type: "number", minimum: 0 }, 5],
  maximum: [{ type: "integer", maximum: 9 }, 5],
  exclusiveMinimum: [{ type: "number", exclusiveMinimum: 0 }, 5],
  exclusiveMaximum: [{ type: "integer", exclusiveMaximum: 9 }, 5],
  multipleOf: [{ multipleOf: 0.01 }, 1],
  anyOf: [{ anyOf: [{ type: "string" }, { type: "integer" }] }, 1],
  oneOf: [{ oneOf: [{ type: "string", maxLength: 3 }, { minLength: 2 }] }, "a"],
  not: [{ not: { type: "string" } }, 1],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  if: [{ if: { type: "string" }, then: { minLength: 1 }, else: { type: "integer" } }, 1],
  patternProperties: [{ patternProperties: { "^x-": { type: "string" } } }, {}],
  propertyNames: [{ propertyNames: { maxLength: 3 } }, {}],
  minProperties: [
    { type: "object", minProperties: 2 },
    { a: 1, b: 1 },
  ],
  maxProperties: [{ type: "object", maxProperties: 2 }, {}],
  dependentRequired: [{ dependentRequired: { a: ["b"] } }, {}],
  dependentSchemas: [{ dependentSchemas: { a: { required: ["b"] } } }, {}],
  prefixItems: [{ prefixItems: [{ type: "string" }, {}] }, []],
  uniqueItems: [{ type: "array", uniqueItems: true }, []],
  contains: [{ contains: { type: "string" } }, ["a"]],
  minContains: [{ contains: { type: "string" }, minContains: 2 }, ["a", "a"]],
  maxContains: [{ contains: { type: "string" }, maxContains: 2 }, ["a"]],
};

/** Operators without looser mutants, and why. */
const ONLY_TIGHT = ["properties", "items", "additionalProperties", "prefixItems"];

const definitions = linkTypes({ Text: { type: "string" } });

test("every operator in the folder is registered", async () => {
  expect(await unitsOf(import.meta.dirname, ["keyword", "loosen", "tighten"])).toEqual(
    new Set(operators),
  );
  expect(Object.keys(SAMPLES).toSorted()).toEqual(
    operators.map(({ keyword }) => keyword).toSorted(),
  );
});

describe.each(operators)("$keyword", ({ keyword, purpose, loosen, tighten }) => {
  const [node, valid] = SAMPLES[keyword] ?? [{}, undefined];

  test("has a purpose", () => {
    expect(purpose).toMatch(/\w/);
  });

  test("every mutant differs in meaning: one of its witnesses detects it", () => {
    const loose = loosen(node, definitions);
    const tight = tighten(node, definitions);
    expect(tight.length).toBeGreaterThan(0);
    if (!ONLY_TIGHT.includes(keyword)) expect(loose.length).toBeGreaterThan(0);
    expect(loose.filter((change) => !isTold(change, false))).toEqual([]);
    expect(tight.filter((change) => !isTold(change, true))).toEqual([]);
  });

  /**
   * Whether some witness is `allowed` or not by the node, and has a different verdict under the mutant; or the solver of diff
   * finds a value that has.
   */
  function isTold(change: Change, allowed: boolean): boolean {
    if (isEquivalence(change)) return false;
    const [own] = definitions.values();
    const all: Definitions = new Map(
      own === undefined ? [] : [...definitions, ["It", { ...own, name: "It", node }]],
    );
    const swap = { node, mutant: change.mutant };
    const judge = new Judge(all);
    const values = change.witnesses.map((witness) => witness.toValue(valid));
    const found = distinguish("It", swap, !allowed, all);
    if (found.kind === "record") values.push(found.record);
    return values.some((value) => {
      const failures = judge.failuresOf("It", value);
      const mutated = judge.under(swap, () => judge.failuresOf("It", value));
      return (failures.size === 0) === allowed && !isSameSet(failures, mutated);
    });
  }

  test("yields nothing for a node without constraints", () => {
    expect([...loosen({}, definitions), ...tighten({}, definitions)]).toEqual([]);
  });
});

describe("mutants that no record can detect are marked as equivalent", () => {
  const reasonOf = (keyword: string, node: SchemaNode): string[] => {
    const operator = operators.find((each) => each.keyword === keyword);
    const changes = [
      ...(operator?.loosen(node, definitions) ?? []),
      ...(operator?.tighten(node, definitions) ?? []),
    ];
    return changes.flatMap((change) => (isEquivalence(change) ? [change.reason] : []));
  };

  test.each<[string, SchemaNode, string]>([
    ["minLength", { type: "string", minLength: 0 }, "no length is below 0"],
    ["additionalProperties", { type: "object", additionalProperties: false }, "more closed"],
    ["type", { type: ["string", "null"], enum: ["a"] }, "no value of the enum"],
    ["type", { type: "number", enum: [1, 2] }, "its values are integers"],
    ["type", { type: "string", allOf: [{ $ref: "Text" }] }, "allows no other type either"],
  ])("%s of %j", (keyword, node, reason) => {
    expect(reasonOf(keyword, node).join()).toContain(reason);
  });
});
