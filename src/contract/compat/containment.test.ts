import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countAttacks } from "../../base/testing/attacks.js";
import { runCount } from "../../base/testing/run-count.js";
import { validatorOf } from "./ajv/ajv.js";
import { type Containment, checkContainment } from "./containment.js";
import { loadVersion } from "./load-version.js";
import { DRAFT_2020_12 } from "./schema/dialects.js";
import { loadReferences } from "./schema/load-references.js";
import { HOLE, type SchemaLocation, SchemaSet } from "./schema/schema-set.js";
import type { Schema } from "./schema/subschemas.js";
import { arbitraryPair, arbitraryValue } from "./testing/arbitrary-schema.js";

interface Pair {
  readonly id: string;
  readonly old: Schema;
  readonly new: Schema;
  readonly backward: string;
  readonly forward: string;
}

const pairs = ["pairs.json", "more-pairs.json"].flatMap((name): Pair[] =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/compat/${name}`, import.meta.url), "utf8")),
);

function rootOf(schema: Schema): SchemaLocation {
  const root = new SchemaSet().add(structuredClone(schema), "test:/schema");
  loadReferences(root, { schema, dialect: DRAFT_2020_12 }, { others: [] });
  return root;
}

/** The verdicts of both schemas: a witness is valid under the first only. */
function verdictsOn(value: unknown, writer: SchemaLocation, reader: SchemaLocation) {
  return [writer, reader].map((root) => validatorOf(root).isValid(value));
}

function expectVerdict(writer: Schema, reader: Schema, expected: string): void {
  const [written, read] = [rootOf(writer), rootOf(reader)];
  const result = checkContainment(written, read);
  expect(result.verdict).toBe(expected);
  if (result.verdict === "breaking") {
    expect(verdictsOn(result.witness, written, read)).toEqual([true, false]);
  }
}

test("the fixtures have pairs", () => {
  expect(pairs.length).toBeGreaterThan(300);
});

describe.each(pairs)("$id", (pair) => {
  test("backward", () => {
    expectVerdict(pair.old, pair.new, pair.backward);
  });
  test("forward", () => {
    expectVerdict(pair.new, pair.old, pair.forward);
  });
});

const list = (item: Schema) => ({
  $defs: {
    list: {
      type: "object",
      properties: { item, next: { anyOf: [{ type: "null" }, { $ref: "#/$defs/list" }] } },
      required: ["item", "next"],
    },
  },
  $ref: "#/$defs/list",
});

describe("recursive schemas", () => {
  test("the same under other names", () => {
    const other = JSON.parse(JSON.stringify(list({ type: "string" })).replaceAll("list", "chain"));
    expectVerdict(list({ type: "string" }), other, "compatible");
  });

  test("with a narrower item", () => {
    expectVerdict(list({ type: "number" }), list({ type: "integer" }), "breaking");
    expectVerdict(list({ type: "integer" }), list({ type: "number" }), "compatible");
  });

  test("that no finite value satisfies", () => {
    const endless = {
      $defs: {
        endless: {
          type: "object",
          required: ["a"],
          properties: { a: { $ref: "#/$defs/endless" } },
        },
      },
      $ref: "#/$defs/endless",
    };
    expectVerdict(endless, false, "compatible");
  });
});

test("parts that nobody can read are undecided unless they are equal", () => {
  const part = (text: string, rest: Schema = {}) => ({ [HOLE]: text, ...Object(rest) });
  expectVerdict(part("x"), part("x", { type: "string" }), "undecided");
  expectVerdict(part("x"), part("x", { title: "new" }), "compatible");
  expectVerdict(part("x"), part("y"), "undecided");
  const within = (type: string) => ({ properties: { a: part("x"), b: { type } } });
  expectVerdict(within("string"), within("number"), "breaking");
});

test("keywords that nobody knows are annotations", () => {
  const first = { vocabulary: 1, nullable: true, dependencies: { a: ["b"] }, type: "string" };
  expectVerdict(first, { type: "string" }, "compatible");
  expectVerdict({ type: "string" }, first, "compatible");
  expectVerdict({ type: ["string", "null"] }, first, "breaking");
});

test("witnesses that are hard to find", () => {
  const onlyEmptyName = { type: "object", propertyNames: { maxLength: 0 }, minProperties: 1 };
  expectVerdict(onlyEmptyName, false, "breaking");
  expectVerdict({ ...onlyEmptyName, minProperties: 2 }, false, "compatible");
  expectVerdict({ type: "array", minItems: 1e9 }, false, "undecided");
  expectVerdict({ type: "array", contains: { const: 1 }, minContains: 1e9 }, false, "undecided");
  expectVerdict({ type: "array", minItems: 1e9, maxItems: 1e8 }, false, "compatible");
  expectVerdict({ type: "string", minLength: 1e9 }, false, "undecided");
  expectVerdict({ type: "object", minProperties: 1e9 }, false, "undecided");
  expectVerdict({ type: "string", pattern: "(a+)+$" }, { pattern: "a$" }, "compatible");
});

test("an empty required name is a name as others", () => {
  expectVerdict({ required: ["ab"] }, { required: ["", "ab"] }, "breaking");
  expectVerdict({ type: "object", required: [""] }, { minProperties: 1 }, "compatible");
  expectVerdict({ dependentRequired: { a: [""] } }, { dependentRequired: { a: [] } }, "compatible");
  expectVerdict({}, { dependentRequired: { a: [""] } }, "breaking");
});

test("multiples are those of decimals, however large", () => {
  const whole = { type: "number", multipleOf: 1 };
  expectVerdict({ type: "integer" }, whole, "compatible");
  expectVerdict(whole, { type: "integer" }, "compatible");
  expectVerdict({ const: 1e21 }, { multipleOf: 0.1 }, "compatible");
  expectVerdict({ multipleOf: 4 }, { multipleOf: 2 }, "compatible");
  expectVerdict({ multipleOf: 2 }, { multipleOf: 4 }, "breaking");
  expectVerdict({ multipleOf: 0.1 }, { multipleOf: 0.01 }, "compatible");
  expectVerdict({ const: 19.99 }, { multipleOf: 0.01 }, "compatible");
});

test("an undecided verdict names what stopped it", () => {
  const because = (writer: Schema, reader: Schema): unknown => {
    const result = checkContainment(rootOf(writer), rootOf(reader));
    return "because" in result ? result.because : result.verdict;
  };
  const text = "https://a.example/b.json";
  const nested = { type: "object", properties: { a: { items: { [HOLE]: text } } } };
  expect(because({ type: "object" }, nested)).toContain(
    `nobody knows what ${text} accepts (--schemas)`,
  );
});

const array = (contains: Schema) => ({ type: "array", contains });

test.each<[string, Schema, Schema, Containment["verdict"]]>([
  [
    "an annotation in `contains`",
    array({ format: "uuid" }),
    { ...array({ $comment: "x" }), unevaluatedItems: { type: "string" } },
    "compatible",
  ],
  ["`contains` beside no items", array(true), { ...array(true), minItems: 1 }, "compatible"],
  [
    "`contains` beside unevaluated items",
    array({ type: "string" }),
    { ...array({ type: "string" }), unevaluatedItems: false },
    "breaking",
  ],
  ["an empty enum", { enum: [] }, { type: "string" }, "compatible"],
  [
    "a definition with a # in its name",
    { $defs: { a: { type: "string" }, "a#b": { type: "integer" } }, $ref: "#/$defs/a#b" },
    { type: "string" },
    "breaking",
  ],
  [
    "a definition with a space at the end of its name",
    { $defs: { "a ": { type: "string" }, a: { type: "integer" } }, $ref: "#/$defs/a " },
    { type: "string" },
    "compatible",
  ],
  [
    "a reference inside an embedded resource",
    {
      $defs: {
        y: {
          $id: "https://a.example/x",
          $defs: { z: { type: "string" } },
          properties: { q: { $ref: "#/$defs/z" } },
        },
        z: { type: "integer" },
      },
      $ref: "#/$defs/y/properties/q",
    },
    { type: "string" },
    "compatible",
  ],
])("%s", (_, writer, reader, verdict) => {
  expect(checkContainment(rootOf(writer), rootOf(reader)).verdict).toBe(verdict);
});

test("a reference to a name that two schemas have is undecided", () => {
  const twice = { a: { $id: "b", type: "integer" }, c: { $id: "b", type: "string" } };
  const root = rootOf({ $defs: twice, properties: { y: { $ref: "b" } } });
  const other = rootOf({ properties: { y: { type: "null" } } });
  expect(checkContainment(root, other).verdict).toBe("undecided");
});

test("an endlessly recursive schema has no verdict", () => {
  expect(checkContainment(rootOf({ $ref: "#" }), rootOf({ type: "string" }))).toEqual({
    verdict: "undecided",
    because:
      "no verdict on a possible break, because it is nested too deeply, or without end, at test:/schema: null",
  });
});

describe("types that lead from one to the next", () => {
  const chain = (length: number, type: string): Schema => {
    const step = (index: number) => ({ properties: { a: { $ref: `#/$defs/${index + 1}` } } });
    const steps = Array.from({ length }, (_, index) => [index, step(index)] as const);
    return { $ref: "#/$defs/0", $defs: { ...Object.fromEntries(steps), [length]: { type } } };
  };

  test.each([450, 1000])("%d of them accept all of what they accept, and more", (length) => {
    expectVerdict(chain(length, "integer"), chain(length, "number"), "compatible");
  });

  test("a break at the end of 450 of them is proven", () => {
    expectVerdict(chain(450, "number"), chain(450, "integer"), "breaking");
  });

  test("a record that nobody can print proves nothing", () => {
    const [one, other] = [chain(1000, "number"), chain(1000, "integer")].map(rootOf);
    expect(one && other && checkContainment(one, other)).toEqual({
      verdict: "undecided",
      because:
        "every record that would prove it has more than 50000 values, or is nested more than 500 deep",
    });
  });
});

test("a dynamic reference leads to the outermost of its targets", () => {
  const tree = (type: string) => ({
    $id: "https://a.example/tree",
    $ref: "other",
    $dynamicAnchor: "node",
    type,
    $defs: {
      other: { $id: "other", $dynamicAnchor: "node", properties: { a: { $dynamicRef: "#node" } } },
    },
  });
  expectVerdict({ ...tree("object"), maxProperties: 1 }, tree("object"), "compatible");
  expectVerdict(tree("object"), { ...tree("object"), maxProperties: 1 }, "breaking");
});

/** The number of random pairs; increase it for a longer run. */
const PAIRS = Number(process.env.COMPAT_FUZZ_PAIRS ?? runCount(15_200, 120));
const SEED = Number(process.env.COMPAT_FUZZ_SEED ?? 1);

/**
 * Compares random pairs of schemas, loaded by `load`. No value refutes a compatible verdict, and every witness proves
 * its break. Returns the number of pairs by verdict.
 */
function compareRandomPairs(
  attacks: ReturnType<typeof countAttacks>,
  numRuns: number,
  load: (schema: Schema) => ReturnType<typeof rootOf>,
  values: readonly unknown[],
): Record<ReturnType<typeof checkContainment>["verdict"], number> {
  const counts = { compatible: 0, breaking: 0, undecided: 0 };
  const compare = (one: Schema, other: Schema): void => {
    const [writer, reader] = [load(one), load(other)];
    const result = checkContainment(writer, reader);
    counts[result.verdict] += 1;
    if (result.verdict === "breaking") {
      expect(verdictsOn(result.witness, writer, reader)).toEqual([true, false]);
    }
    if (result.verdict !== "compatible") return;
    const { isValid: isWritten } = validatorOf(writer);
    const { isValid: isRead } = validatorOf(reader);
    expect(
      values.find((value) => isWritten(value) === true && isRead(value) === false),
    ).toBeUndefined();
  };
  fc.assert(
    fc.property(arbitraryPair, ([one, other]) => attacks.attempt(() => compare(one, other))),
    { seed: SEED, numRuns },
  );
  return counts;
}

test("no value refutes a compatible verdict, and every witness proves its break", (context) => {
  const attacks = countAttacks(context, "pairs of schemas", PAIRS);
  const values = fc.sample(arbitraryValue, { seed: 1, numRuns: 300 });
  const counts = compareRandomPairs(attacks, PAIRS, rootOf, values);
  expect(counts.undecided).toBeLessThan(PAIRS / 100);
  expect(Math.min(counts.compatible, counts.breaking)).toBeGreaterThan(PAIRS / 5);
});

/** Number of random pairs with hostile names, numbers and patterns. */
const HOSTILE_PAIRS = Number(process.env.COMPAT_FUZZ_PAIRS ?? runCount(4000, 60));

/** The JSON text with names of methods, numbers that no double holds, and patterns that backtrack exponentially. */
function toHostile(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('"a"', '"constructor"')
    .replaceAll('"b"', '"__proto__"')
    .replaceAll('"c"', '"valueOf"')
    .replaceAll('"^[a-c]+$"', '"^(a|a|b)*(a+)+c?$"')
    .replaceAll('"b$"', '"(_*)*(o|_)$"')
    .replaceAll('"const":2', '"const":9007199254740993')
    .replaceAll('"maximum":3', '"maximum":9007199254740993')
    .replaceAll('"multipleOf":0.1', '"multipleOf":0.1000000000000000055511151231257827');
}

test("the same holds for hostile names, numbers and patterns", (context) => {
  const attacks = countAttacks(context, "hostile pairs of schemas", HOSTILE_PAIRS);
  const load = (schema: Schema) =>
    loadVersion({ name: "a.json", text: toHostile(schema), others: [] }, "annotate").root;
  const values = fc
    .sample(arbitraryValue, { seed: 1, numRuns: 200 })
    .map((value): unknown => JSON.parse(toHostile(value)));
  const counts = compareRandomPairs(attacks, HOSTILE_PAIRS, load, values);
  expect(counts.undecided).toBeLessThan(HOSTILE_PAIRS / 5);
  expect(Math.min(counts.compatible, counts.breaking)).toBeGreaterThan(HOSTILE_PAIRS / 6);
});
