import { describe, expect, test } from "vitest";
import { countAttacks } from "../../base/testing/attacks.js";
import { sampleCases } from "../../base/testing/run-count.js";
import { compareVersions } from "./compare-versions.js";
import { loadVersion } from "./load-version.js";
import type { Schema } from "./schema/subschemas.js";

const text = { type: "string" };
const integer = { type: "integer" };

function many<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function named(count: number, make: (index: number) => Schema): Record<string, Schema> {
  return Object.fromEntries(many(count, (index) => [`p${index}`, make(index)]));
}

/** Definitions of which each refers to the next. */
function chain(count: number, step: ($ref: string) => Schema, end: Schema): Schema {
  const next = (index: number) => `#/$defs/d${index + 1}`;
  const entries = many(count, (index) => [`d${index}`, step(next(index))] as const);
  return { $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(entries), [`d${count}`]: end } };
}

function compare(before: Schema, after: Schema) {
  const [older, newer] = [before, after].map((schema) => {
    const source = { name: "a.json", text: JSON.stringify(schema), others: [] };
    return loadVersion(source, "annotate").root;
  });
  if (older === undefined || newer === undefined) throw new TypeError("two versions are needed");
  return compareVersions(older, newer);
}

const both = (make: (leaf: Schema) => Schema): [Schema, Schema] => [make(text), make(integer)];

/** Schemas on which a comparison of all pairs, or of all ways through a schema, would never end. */
const CASES: readonly (readonly [
  title: string,
  pair: readonly [Schema, Schema],
  expected: string,
])[] = [
  [
    "an enum reversed",
    [{ enum: many(50_000, String) }, { enum: many(50_000, String).reverse() }],
    "compatible compatible",
  ],
  [
    "an enum with other values",
    [{ enum: many(50_000, String) }, { enum: many(50_000, (each) => `${each + 9}`) }],
    "breaking breaking",
  ],
  [
    "an enum of objects",
    [{ enum: many(10_000, (a) => ({ a })) }, { enum: many(10_001, (a) => ({ a })) }],
    "compatible breaking",
  ],
  [
    "required reversed",
    [{ required: many(50_000, String) }, { required: many(50_000, String).reverse() }],
    "compatible compatible",
  ],
  [
    "a oneOf of constants reversed",
    [
      { oneOf: many(5000, (each) => ({ const: each })) },
      { oneOf: many(5000, (each) => ({ const: each })).reverse() },
    ],
    "compatible compatible",
  ],
  [
    "a oneOf that may overlap",
    [
      { oneOf: many(500, (each) => ({ minLength: each })) },
      { oneOf: many(501, (each) => ({ minLength: each })) },
    ],
    "undecided undecided",
  ],
  [
    "changed properties",
    both((leaf) => ({ properties: named(40_000, () => leaf) })),
    "breaking breaking",
  ],
  [
    "described properties",
    [
      { properties: named(10_000, () => text) },
      { properties: named(10_000, () => ({ ...text, title: "x" })) },
    ],
    "compatible compatible",
  ],
  [
    "a closed object with many properties",
    both((leaf) => ({
      type: "object",
      properties: { ...named(3000, () => text), a: leaf },
      additionalProperties: false,
    })),
    "breaking breaking",
  ],
  [
    "a chain of references",
    both((leaf) => chain(5000, ($ref) => ({ $ref }), leaf)),
    "undecided undecided",
  ],
  [
    "a chain of properties",
    both((leaf) => chain(400, ($ref) => ({ properties: { a: { $ref } } }), leaf)),
    "* *",
  ],
  [
    "a cycle of references",
    both((leaf) => ({
      ...Object(chain(1500, ($ref) => ({ $ref }), { $ref: "#/$defs/d0" })),
      properties: { a: leaf },
    })),
    "* *",
  ],
  [
    "two references at each level",
    both((leaf) => chain(60, ($ref) => ({ allOf: [{ $ref }, { $ref, minLength: 1 }] }), leaf)),
    "undecided undecided",
  ],
  [
    "two alternatives at each level",
    both((leaf) =>
      chain(
        60,
        ($ref) => ({
          anyOf: [
            { $ref, minLength: 1 },
            { $ref, maxLength: 9 },
          ],
        }),
        leaf,
      ),
    ),
    "undecided undecided",
  ],
  [
    "two properties at each level",
    both((leaf) =>
      chain(
        60,
        ($ref) => ({
          type: "object",
          required: ["a", "b"],
          properties: { a: { $ref }, b: { $ref } },
        }),
        leaf,
      ),
    ),
    "undecided undecided",
  ],
  [
    "a pattern that backtracks",
    [{ pattern: "^(a?){60}a{60}$", enum: ["a".repeat(61)] }, { pattern: "^(a|a)*b$" }],
    "breaking breaking",
  ],
  [
    "names matched by such a pattern",
    [
      { properties: { [`${"a".repeat(60)}!`]: text } },
      { patternProperties: { "^(a+)+$": integer } },
    ],
    "breaking breaking",
  ],
  [
    "a back reference that backtracks",
    [{ enum: [`${"a".repeat(60)}!`] }, { pattern: "^(a+)+\\1$" }],
    "undecided breaking",
  ],
];

describe("hostile schemas are compared in a bounded number of steps:", () => {
  test.for(sampleCases(CASES, 6))("%s", ([, pair, expected], context) => {
    const attacks = countAttacks(context, "hostile schemas", 1);
    attacks.attempt(() => expectDecidedOrExplained(pair, expected));
  });
});

function expectDecidedOrExplained([before, after]: readonly [Schema, Schema], expected: string) {
  const { backward, forward, changes } = compare(before, after);
  const [wantedBackward, wantedForward] = expected.split(" ");
  if (wantedBackward !== "*") expect(backward).toBe(wantedBackward);
  if (wantedForward !== "*") expect(forward).toBe(wantedForward);
  const reasons = changes.flatMap(({ effects: { validate } }) =>
    [validate.backward, validate.forward].flatMap((each) =>
      each.verdict === "undecided" ? [each.because] : [],
    ),
  );
  expect(reasons.every((because) => because !== "")).toBe(true);
  if (backward === "undecided" || forward === "undecided") expect(reasons).not.toEqual([]);
}

test("once the steps for single changes are spent, the reason says so", () => {
  const { changes } = compare(...both((leaf) => ({ properties: named(5000, () => leaf) })));
  const verdicts = changes.map(({ effects }) => effects.validate.backward);
  expect(verdicts.filter(({ verdict }) => verdict === "breaking").length).toBeGreaterThan(5);
  const last = verdicts.at(-1);
  expect(last?.verdict === "undecided" ? last.because : "").toMatch(
    /^too many questions: they took the [\d,]+ steps allowed for all of them; compare fewer changes at once$/,
  );
});
