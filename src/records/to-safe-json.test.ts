import fc from "fast-check";
import { expect, test } from "vitest";
import { toSafeJson } from "./to-safe-json.js";

test("indented lines without anything that a terminal obeys", () => {
  const lines = toSafeJson({ "a\u009b": ["\u{e0041}", "é\n"] }).split("\n");
  expect(lines).toEqual([
    "{",
    String.raw`  "a\u009b": [`,
    String.raw`    "\udb40\udc41",`,
    String.raw`    "é\n"`,
    "  ]",
    "}",
    "",
  ]);
});

test("the value stays the same", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (value) => {
      expect(JSON.parse(toSafeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
