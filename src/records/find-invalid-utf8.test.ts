import fc from "fast-check";
import { expect, test } from "vitest";
import { findInvalidUtf8 } from "./find-invalid-utf8.js";

test("the first bad byte, after any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (before, after) => {
      const good = Buffer.from(before);
      const bytes = Buffer.concat([good, Buffer.of(0xff), Buffer.from(after)]);
      expect(findInvalidUtf8(good)).toBeUndefined();
      expect(findInvalidUtf8(bytes)).toBe(good.length);
    }),
  );
});

test("a sequence cut off, and an encoded surrogate", () => {
  expect(findInvalidUtf8(Buffer.of(0x61, 0xe2, 0x82))).toBe(1);
  expect(findInvalidUtf8(Buffer.of(0x61, 0xed, 0xa0, 0x80))).toBe(1);
});
