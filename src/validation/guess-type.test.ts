import { describe, expect, test } from "vitest";
import { entryTypes } from "#generated/index.js";
import { inferEntryType } from "./guess-type.js";

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
