import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject } from "../../base/json/value.js";
import { countAttacks } from "../../base/testing/attacks.js";
import { runCount } from "../../base/testing/run-count.js";
import { compareVersions, DIRECTIONS } from "./compare-versions.js";
import { loadVersion } from "./load-version.js";
import { askJudge, type Question } from "./testing/judge.js";

// What `if`, `contains` and other keywords evaluate is where validators differ most.

const PAIRS = Number(process.env.COMPAT_HUNT_PAIRS ?? runCount(600, 150));

const part = fc.constantFrom<unknown>(
  ...[true, false, { type: "integer" }, { const: 1 }, { minimum: 3 }, { required: ["a"] }],
  ...[{ properties: { a: true } }, { properties: { b: { type: "integer" } } }],
  ...[{ prefixItems: [true] }, { items: { type: "integer" } }, { contains: { const: 1 } }],
  ...[{ minProperties: 1 }, { not: { required: ["b"] } }],
);
const parts = fc.array(part, { minLength: 1, maxLength: 2 });
const byName = fc.dictionary(fc.constantFrom("a", "b"), part, {
  maxKeys: 2,
  noNullPrototype: true,
});
const count = fc.constantFrom(0, 1, 2);

function record(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true });
}

// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const condition = { if: part, then: part, else: part };

const schema = fc.oneof(
  record({
    ...{ ...condition, type: fc.constant("object"), properties: byName, allOf: parts },
    ...{ anyOf: parts, dependentSchemas: byName, unevaluatedProperties: part },
  }),
  record({
    ...{ ...condition, type: fc.constant("array"), contains: part, minContains: count },
    ...{ maxContains: count, prefixItems: parts, items: part, allOf: parts, oneOf: parts },
    unevaluatedItems: part,
  }),
);

/** A schema, and another one or the same without its first keyword. */
const pairs = fc.oneof(
  fc.tuple(schema, schema),
  schema.map((each) => [each, Object.fromEntries(Object.entries(each).slice(1))] as const),
);

const load = (each: object) =>
  loadVersion({ name: "a.json", text: JSON.stringify(each), others: [] }, "annotate").root;

function ask(each: object, witness: unknown): Question {
  const files = new Map([["a.json", isJsonObject(each) ? each : {}]]);
  return {
    version: { dialect: "2020-12", path: "a.json", files },
    pointer: "",
    values: [witness],
  };
}

test("an independent validator confirms every witness for what is unevaluated", (context) => {
  const attacks = countAttacks(context, "pairs of schemas that track what is evaluated", PAIRS);
  const questions: Question[] = [];
  for (const [older, newer] of fc.sample(pairs, { seed: 1, numRuns: PAIRS })) {
    attacks.attempt(() => {
      const comparison = compareVersions(load(older), load(newer));
      for (const direction of DIRECTIONS) {
        const [writer, reader] = direction === "backward" ? [older, newer] : [newer, older];
        for (const { [direction]: result } of comparison.decisive) {
          if (result.verdict !== "breaking") continue;
          questions.push(ask(writer, result.witness), ask(reader, result.witness));
        }
      }
    });
  }
  const verdicts = askJudge(questions).map((answer) => answer[0]);
  const wrong = questions.filter((_, index) => verdicts[index] !== (index % 2 === 0));
  expect(wrong.slice(0, 4)).toEqual([]);
  expect(questions.length).toBeGreaterThan(0.3 * PAIRS);
});
