import { describe, expect, test } from "vitest";
import type { Effects } from "./change.js";
import { compareVersions } from "./compare-versions.js";
import { DIRECTIONS, SchemaSet } from "./schema/schema-set.js";
import type { Schema } from "./schema/subschemas.js";

function compare(before: Schema, after: Schema) {
  const [older, newer] = [before, after].map((schema) => new SchemaSet().add(schema, "schema:/"));
  if (older === undefined || newer === undefined) throw new Error("two versions are needed");
  return compareVersions(older, newer);
}

/** The rule, what it says, and the directions in which it breaks by itself. */
function listHidden({ changes }: ReturnType<typeof compareVersions>) {
  return changes.flatMap(({ rule, message, byItself }) =>
    byItself === undefined ? [] : [[rule.id, message, brokenBy(byItself.validate)]],
  );
}

function brokenBy(effects: Effects): string {
  return DIRECTIONS.filter((each) => effects[each].verdict === "breaking").join();
}

const open = (type: string) => ({ type: "object", properties: { a: { type } }, required: ["a"] });

const versionsOf = (schema: (type: string) => Schema) =>
  [schema("string"), schema("integer")] as const;

const BOTH = "backward,forward";

describe("what a union hides is compared by itself", () => {
  const Ext = {};
  const Open = { $ref: "#/$defs/Open" };
  const property = (keyword: string, ...members: Schema[]) =>
    versionsOf((type) => ({
      properties: { x: { [keyword]: [Open, ...members] } },
      $defs: { Open: open(type), Ext },
    }));
  const cases: Readonly<Record<string, readonly [readonly [Schema, Schema], string | undefined]>> =
    {
      "a reference to a schema without keywords": [
        property("anyOf", { $ref: "#/$defs/Ext" }),
        "`Ext` accepts anything",
      ],
      true: [property("anyOf", true), "`anyOf/1` accepts anything"],
      "any object": [
        property("anyOf", { title: "Any", type: "object", additionalProperties: {} }),
        "`Any` accepts any object",
      ],
      "several members that accept everything together": [
        property(
          "anyOf",
          { type: ["object", "string"], title: "One" },
          { not: false, title: "No" },
          {
            type: ["null", "boolean", "number", "array"],
            title: "Other",
          },
        ),
        "`One` and `No` accept anything",
      ],
      "a union inside of the union": [
        property("anyOf", { title: "Any", anyOf: [{ type: "string" }, { type: "object" }] }),
        "`Any` accepts any object",
      ],
      "a member of which only its constraints show that it accepts everything": [
        property(
          "anyOf",
          { title: "Text", not: { not: { type: "string" } }, minLength: 0 },
          { title: "Rest", not: { type: "string" }, minProperties: 0 },
        ),
        "`Rest` accepts anything",
      ],
      "a closed union of all objects": [
        property("anyOf", {
          title: "Any",
          type: "object",
          oneOf: [{ required: ["a"] }, { not: { required: ["a"] } }],
        }),
        "`Any` accepts any object",
      ],
      "one of two unions at a place": [
        versionsOf((type) => ({
          anyOf: [{ ...open(type), title: "Open" }, { title: "Ext" }],
          allOf: [{ anyOf: [{ type: "object" }, { type: "null" }] }],
        })),
        "`Ext` accepts anything",
      ],
      "a union around all records": [
        versionsOf((type) => ({ anyOf: [{ ...open(type), title: "Open" }, { title: "Ext" }] })),
        "`Ext` accepts anything",
      ],
      "other values": [property("anyOf", { type: "string" }), undefined],
      "some objects": [property("anyOf", { type: "object", maxProperties: 3 }), undefined],
      "an exclusive union": [property("oneOf", { $ref: "#/$defs/Ext" }), undefined],
      "a type that is compared anyway": [
        versionsOf((type) => ({
          $defs: { Open: open(type), Ext, Either: { anyOf: [Open, { $ref: "#/$defs/Ext" }] } },
        })),
        undefined,
      ],
    };
  test.each(Object.entries(cases))("%s", (_, [[before, after], because]) => {
    const comparison = compare(before, after);
    const message = `is compatible only because ${because}; by itself \`Open\` breaks`;
    expect(listHidden(comparison)).toEqual(because === undefined ? [] : [["X8", message, BOTH]]);
    if (because === undefined) return;
    expect([comparison.backward, comparison.forward, comparison.bump]).toEqual([
      "compatible",
      "compatible",
      "major",
    ]);
  });

  test("a list of strings beside any string is a hint", () => {
    const hints = (...values: string[]) => ({
      properties: { x: { anyOf: [{ type: "string", enum: values }, { type: "string" }] } },
    });
    expect(listHidden(compare(hints("a", "b"), hints("a", "c")))).toEqual([]);
  });

  test("only what breaks by itself is told, and only if both versions hide it", () => {
    const [before, after] = property("anyOf", { $ref: "#/$defs/Ext" });
    const [alone] = property("anyOf");
    expect(listHidden(compare(alone, after))).toEqual([]);
    const optional = { properties: { x: { anyOf: [{ title: "Open", type: "object" }, true] } } };
    const described = structuredClone(optional);
    Object.assign(described.properties.x.anyOf[0] ?? {}, { description: "New." });
    expect(compare(optional, described)).toMatchObject({ bump: "patch" });
    expect(compare(before, before)).toMatchObject({ bump: "none" });
  });

  test("a member inside of a hidden one is hidden, too", () => {
    const [before, after] = versionsOf((type) => {
      const inner = { properties: { y: { anyOf: [open(type), true] } }, title: "Outer" };
      return { properties: { x: { anyOf: [inner, true] } } };
    });
    expect(listHidden(compare(before, after)).map(([, message]) => message)).toEqual([
      "is compatible only because `anyOf/1` accepts anything; by itself `anyOf/0` breaks",
    ]);
  });
});

describe("a definition to which nothing refers", () => {
  const document = (type: string, rest: object = {}) => ({ ...rest, $defs: { Idle: open(type) } });
  test("is told, and counts for nothing", () => {
    const used = { properties: { b: true } };
    const comparison = compare(document("string", used), document("integer", used));
    expect(listHidden(comparison)).toEqual([
      ["F4", "changed, and nothing here refers to it; by itself it breaks", BOTH],
    ]);
    expect(comparison.changes.map(({ types }) => types)).toEqual([["Idle"]]);
    expect(comparison.comparedAlone.map(({ name }) => name)).toEqual(["Idle"]);
    expect([comparison.backward, comparison.bump]).toEqual(["compatible", "patch"]);
  });

  test("may be one to which only such definitions refer", () => {
    const [before, after] = versionsOf((type) => ({
      properties: { b: true },
      $defs: { Idle: { properties: { x: { $ref: "#/$defs/Part" } } }, Part: open(type) },
    }));
    expect(listHidden(compare(before, after)).map(([, message]) => message)).toEqual([
      "changed, and nothing here refers to it; by itself it breaks",
      "changed, and only unused definitions refer to it; by itself it breaks",
    ]);
  });

  test("may refer to itself", () => {
    const [before, after] = versionsOf((type) => ({
      properties: { b: true },
      $defs: { Idle: { ...open(type), additionalProperties: { $ref: "#/$defs/Idle" } } },
    }));
    expect(listHidden(compare(before, after)).map(([, message]) => message)).toEqual([
      "changed, and only unused definitions refer to it; by itself it breaks",
    ]);
  });

  test("is a type of a document that holds only definitions", () => {
    const comparison = compare(document("string"), document("integer"));
    expect([listHidden(comparison), comparison.backward]).toEqual([[], "breaking"]);
  });
});

describe("a new version that accepts no record is said first", () => {
  const contradiction = { type: "string", minLength: 3, maxLength: 2 };
  const cases: Readonly<Record<string, readonly [Schema, Schema, string]>> = {
    "the document": [{ type: "object", properties: { a: true } }, contradiction, "breaking"],
    "a property that must be there and must not": [
      open("string"),
      { ...open("string"), properties: { a: contradiction } },
      "breaking",
    ],
    "as before": [{ enum: [] }, contradiction, "compatible"],
  };
  test.each(Object.entries(cases))("%s", (_, [before, after, verdict]) => {
    const { changes, backward } = compare(before, after);
    const [first] = changes;
    expect([first?.rule.id, first?.message, backward]).toEqual([
      "T6",
      "accepts no record at all",
      verdict,
    ]);
    expect(first?.effects.validate.backward.verdict).toBe(verdict);
  });

  test("not of a type that still accepts one", () => {
    const { changes } = compare({ enum: ["a", "b"] }, { enum: ["a"] });
    expect(changes.map(({ rule }) => rule.id)).toEqual(["E1"]);
  });
});
