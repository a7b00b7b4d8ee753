import { describe, expect, test } from "vitest";
import { entryTypes } from "#generated/index.js";
import { shapes } from "#generated/shapes.js";
import { guessType, inferEntryType, listForeignFields } from "./entry-type.js";

describe("inferEntryType", () => {
  function withFields(fields: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(fields.map((field) => [field, null]));
  }

  const recognisable = entryTypes.filter(
    ({ inferred, required }) => inferred && required.length > 0,
  );

  test("there are types to infer", () => {
    expect(recognisable.length).toBeGreaterThan(0);
  });

  test.each(recognisable)("a record with the required fields of $name", ({ name, required }) => {
    expect(inferEntryType(withFields(required))).toBe(name);
  });

  test.each(recognisable)(
    "$name is inferred with any one field missing, or as a type whose fields are complete",
    ({ name, required }) => {
      for (const missing of required) {
        const fields = required.filter((field) => field !== missing);
        const inferred = inferEntryType(withFields(fields));
        const complete = recognisable.find((type) => type.name === inferred);
        const lostNothing = complete?.required.every((field) => fields.includes(field)) ?? false;
        expect(inferred === name || lostNothing, `without ${missing}: ${inferred}`).toBe(true);
      }
    },
  );

  test("one field is enough, and the first type in schema order wins a tie", () => {
    expect(inferEntryType({ prompt_messages: [] })).toBe("DpoTrainingRecord");
    expect(inferEntryType({ completion: "" })).toBe("PpoRecord");
    // `prompt` belongs to both Layer 2 records, which require five fields each.
    expect(inferEntryType({ prompt: "" })).toBe("DpoRecord");
  });

  test("an unknown shape has no type, and inherited property names do not count", () => {
    expect(inferEntryType({})).toBeUndefined();
    expect(inferEntryType({ foo: 1, constructor: 2 })).toBeUndefined();
  });

  test("a foreign record is not taken for one of the tool's own", () => {
    expect(inferEntryType({ id: 1, messages: [] })).toBe("PpoTrainingRecord");
    expect(inferEntryType({ id: 1, why: "because" })).toBeUndefined();
  });
});

test.each(["RolloutBranch", "RolloutBranchRecord"] as const)(
  "a complete %s without the foreign fields has no other type, whatever it has of its own",
  (type) => {
    const { properties = {}, required = [] } = shapes[type];
    const foreign = listForeignFields(type);
    expect(foreign).toContain("prompt");
    expect(foreign.filter((field) => field in properties)).toEqual([]);
    // The match of any type grows with the fields that are present, so all of them are the worst case.
    for (const fields of [required, Object.keys(properties)]) {
      const record = Object.fromEntries(fields.map((field) => [field, null]));
      expect(guessType(record)).toMatchObject({ name: type, isComplete: true });
    }
  },
);
