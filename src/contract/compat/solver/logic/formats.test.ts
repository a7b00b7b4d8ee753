import { fullFormats } from "ajv-formats/dist/formats.js";
import { expect, test } from "vitest";
import type { FormatUse } from "#generated/index.js";
import { checkContainment } from "../../containment.js";
import { SchemaSet } from "../../schema/schema-set.js";
import type { Schema } from "../../schema/subschemas.js";
import { FORMAT_EXAMPLES, isFormat, matchesFormat } from "./formats.js";

/** Formats of numbers, which are not modelled. */
const OF_NUMBERS = ["int32", "int64", "float", "double"];

test("each format of strings has examples that satisfy it", () => {
  expect([...FORMAT_EXAMPLES.keys(), ...OF_NUMBERS].sort()).toEqual(
    Object.keys(fullFormats).sort(),
  );
  for (const [name, texts] of FORMAT_EXAMPLES) {
    expect(isFormat(name)).toBe(true);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => !matchesFormat(name, text))).toEqual([]);
  }
});

function verdict(writer: Schema, reader: Schema, format: FormatUse) {
  const rootOf = (schema: Schema) => new SchemaSet({ format }).add(schema, "schema:/");
  return checkContainment(rootOf(writer), rootOf(reader)).verdict;
}

const text = { type: "string" };
const date = { ...text, format: "date" };

test("as an annotation, a format changes nothing", () => {
  expect(verdict(text, date, "annotate")).toBe("compatible");
  expect(verdict(date, { ...text, format: "email" }, "annotate")).toBe("compatible");
});

test.each<[string, Schema, Schema, string, string]>([
  ["added", text, date, "breaking", "compatible"],
  ["unchanged", date, { ...date, title: "day" }, "compatible", "compatible"],
  ["changed", date, { ...text, format: "date-time" }, "breaking", "breaking"],
  [
    "widened",
    { ...text, format: "uri" },
    { ...text, format: "uri-reference" },
    "undecided",
    "breaking",
  ],
  ["unchanged beside a bound", date, { ...date, minLength: 11 }, "breaking", "compatible"],
  ["of an enum", { enum: ["2024-01-01"] }, date, "compatible", "breaking"],
  [
    "beside a pattern",
    { ...date, pattern: "^x" },
    { ...text, pattern: "^x" },
    "compatible",
    "breaking",
  ],
  [
    "inert on numbers",
    { type: "integer" },
    { type: "integer", format: "date" },
    "compatible",
    "compatible",
  ],
  ["unknown", text, { ...text, format: "colour" }, "undecided", "compatible"],
])("an assertion that is %s", (_, before, after, backward, forward) => {
  expect(verdict(before, after, "assert")).toBe(backward);
  expect(verdict(after, before, "assert")).toBe(forward);
});
