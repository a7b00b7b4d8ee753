import fc from "fast-check";
import { expect, test } from "vitest";
import { hashInScript, sha256Hex } from "./sha256-hex.js";

test("the same in a page as in Node, for any text", () => {
  expect(sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(hashInScript(text)).toBe(sha256Hex(text));
    }),
  );
});
