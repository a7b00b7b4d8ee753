import fc from "fast-check";
import { expect, test } from "vitest";
import { runCount } from "../../base/testing/run-count.js";
import type { Change } from "./change.js";
import { compareVersions } from "./compare-versions.js";
import { DIRECTIONS, SchemaSet } from "./schema/schema-set.js";
import type { Schema } from "./schema/subschemas.js";
import { arbitraryPair } from "./testing/arbitrary-schema.js";
import { unmatched } from "./unmatched.js";

function rootOf(schema: Schema) {
  return new SchemaSet().add(schema, "schema:/");
}

function summarise(before: Schema, after: Schema) {
  const { backward, forward, bump, entries } = compareVersions(rootOf(before), rootOf(after));
  return { backward, forward, bump, names: entries.map(({ pair }) => pair.name) };
}

/** A schema that publishes record types, which differ in one required property. */
function publish(types: Readonly<Record<string, Schema>>): Exclude<Schema, boolean> {
  return {
    anyOf: Object.keys(types).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: types,
  };
}

const A = { type: "object", required: ["a"] };
const B = { type: "object", required: ["b"] };

test("record types are compared one by one, even if another type would accept a lost record", () => {
  const before = publish({ A, B });
  const after = publish({ A: { ...A, required: ["a", "b"] }, B });
  // A record without b was an A; now an open B may still accept one that has b.
  expect(summarise(before, after)).toEqual({
    backward: "breaking",
    forward: "compatible",
    bump: "major",
    names: ["A", "B"],
  });
});

function effectsOf(before: Schema, after: Schema, id: string) {
  const { changes } = compareVersions(rootOf(before), rootOf(after));
  const effects = changes.find(({ rule }) => rule.id === id)?.effects;
  return { any: effects?.validate.backward, declared: effects?.["declared-writer"].backward };
}

test("declared writers share the witness of validate if they may write it", () => {
  const object = { type: "object", properties: { a: true } };
  const required = effectsOf(object, { ...object, required: ["a"] }, "R1");
  expect(required.any).toMatchObject({ verdict: "breaking", witness: {} });
  expect(required.declared).toEqual(required.any);
  const more = { ...object, properties: { a: true, b: { type: "string" } } };
  const added = effectsOf(object, more, "P1");
  expect([added.any?.verdict, added.declared?.verdict]).toEqual(["breaking", "compatible"]);
});

test("an added type breaks old readers, a removed one new readers", () => {
  const [one, two] = [publish({ A }), publish({ A, B })];
  expect(summarise(one, two)).toMatchObject({ backward: "compatible", forward: "breaking" });
  expect(summarise(two, one)).toMatchObject({ backward: "breaking", forward: "compatible" });
});

test("constraints of the root on every record count, besides its types", () => {
  const [one, two] = [publish({ A }), { ...publish({ A }), required: ["x"] }];
  expect(summarise(one, two)).toMatchObject({ backward: "breaking", forward: "compatible" });
  expect(summarise(two, one)).toMatchObject({ backward: "compatible", forward: "breaking" });
});

test("a renamed type is compared with the type of its old name", () => {
  const before = publish({ A: { ...A, properties: { a: { type: "string" } } } });
  const after = publish({ C: { ...A, properties: { a: { type: "string", minLength: 2 } } } });
  const { entries, changes } = compareVersions(rootOf(before), rootOf(after));
  expect(entries.map(({ pair }) => pair.name)).toEqual(["C"]);
  const [length] = changes.filter(({ rule }) => rule.id === "S1");
  expect(length?.effects.validate.backward.verdict).toBe("breaking");
});

test("equal types are matched by name", () => {
  const before = publish({ A, C: A, B, D: B });
  const changed = { ...A, required: ["a", "b"] };
  const after = publish({ A: changed, C: A, B: changed, D: B });
  const { changes } = compareVersions(rootOf(before), rootOf(after));
  expect(changes.map(({ rule, types }) => [rule.id, types])).toEqual([
    ["R3", ["A"]],
    ["R3", ["B"]],
  ]);
});

test("a type that reaches a change in two ways is listed once", () => {
  const [before, after] = ["string", "number"].map((type) =>
    publish({
      A: { properties: { a: { $ref: "#/$defs/C" }, b: { $ref: "#/$defs/C" } } },
      C: { type },
    }),
  );
  const { changes } = compareVersions(rootOf(before ?? {}), rootOf(after ?? {}));
  for (const { types } of changes) expect(types).toEqual([...new Set(types)]);
});

test("a schema without published types is one type", () => {
  expect(summarise({ type: "integer" }, { type: "number" })).toEqual({
    backward: "compatible",
    forward: "breaking",
    bump: "minor",
    names: [""],
  });
});

test("the bump is none for formatting, and patch for descriptions", () => {
  const [one, other] = [
    { type: "string", title: "x" },
    { title: "x", type: "string" },
  ];
  expect(summarise(one, other).bump).toBe("none");
  expect(summarise(one, { ...one, title: "y" }).bump).toBe("patch");
});

test("every break is explained by a breaking change, and every breaking change by a break", () => {
  const counts = { explained: 0, elsewhere: 0 };
  const numRuns = runCount(200, 40);
  fc.assert(
    fc.property(arbitraryPair, ([one, other]) => {
      const { changes, ...verdicts } = compareVersions(rootOf(one), rootOf(other));
      for (const direction of DIRECTIONS) {
        const breaking = changes.filter(
          ({ effects }) => effects.validate[direction].verdict === "breaking",
        );
        expect(breaking.length > 0).toBe(verdicts[direction] === "breaking");
        counts.explained += breaking.some(({ rule }) => rule !== unmatched) ? 1 : 0;
        const isElsewhere = ({ rule, message }: Change): boolean =>
          rule === unmatched && !message.endsWith(" a record type");
        counts.elsewhere += breaking.some(isElsewhere) ? 1 : 0;
        // Writers that emit less cannot break more.
        for (const { effects } of changes) {
          if (effects.validate[direction].verdict !== "compatible") continue;
          expect(effects["declared-writer"][direction].verdict).toBe("compatible");
        }
      }
    }),
    { seed: 1, numRuns },
  );
  expect(counts.explained).toBeGreaterThan(numRuns / 3);
  expect(counts.elsewhere).toBeLessThan(counts.explained / 20);
});

/** Types that all refer to each other, of which one has another property. */
function ringOf(count: number, changed: object): Schema {
  const refer = (index: number) => ({ $ref: `#/$defs/N${(index + count) % count}` });
  const types = Array.from({ length: count }, (_, index) => {
    const steps = [1, 7, 31].flatMap((step) => [
      [`to${step}`, refer(index + step)],
      [`back${step}`, refer(index - step)],
    ]);
    const properties = { kind: { const: index }, ...Object.fromEntries(steps) };
    const own = index === 3 ? changed : {};
    return [`N${index}`, { type: "object", properties: { ...properties, ...own } }] as const;
  });
  return { $defs: Object.fromEntries(types) };
}

test("types that refer to each other all have a verdict, and share one change", () => {
  const { changes, entries } = compareVersions(
    rootOf(ringOf(60, { size: true })),
    rootOf(ringOf(60, { size: { type: "integer" } })),
  );
  expect(entries.map(({ backward, forward }) => [backward.verdict, forward.verdict])).toEqual(
    entries.map(() => ["breaking", "compatible"]),
  );
  expect(changes.map(({ types, path }) => [types.length, path.length])).toEqual([[60, 4]]);
});

test("what breaks one type need not break another that contains it", () => {
  const version = (type: string): Schema => ({
    $defs: {
      Open: { properties: { part: { $ref: "#/$defs/Part" } } },
      Part: { properties: { x: { type } } },
      Void: { properties: { part: { $ref: "#/$defs/Part", maxProperties: 0, type: "object" } } },
    },
  });
  const { entries } = compareVersions(rootOf(version("string")), rootOf(version("integer")));
  expect(entries.map(({ pair, backward }) => [pair.name, backward.verdict])).toEqual([
    ["Open", "breaking"],
    ["Part", "breaking"],
    ["Void", "compatible"],
  ]);
});

test("a place that rejects everything now is found, whatever accepts everything beside it", () => {
  const { changes } = compareVersions(
    rootOf({ properties: { a: true, b: true } }),
    rootOf({ properties: { a: true, b: false } }),
  );
  expect(changes.map(({ rule, path }) => [rule.id, path])).toEqual([["T5", ["b"]]]);
});
