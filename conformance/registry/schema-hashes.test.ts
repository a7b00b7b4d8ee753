import { expect, test } from "vitest";
import { canonicalHash, schemaHashes } from "./schema-hashes.js";

test("layout and key order change the bytes only", () => {
  const plain = schemaHashes('{"a":1,"b":[true,null]}');
  const laidOut = schemaHashes('{\n  "b": [true, null],\n  "a": 1.0\n}\n');
  expect(laidOut.canonical).toBe(plain.canonical);
  expect(laidOut.bytes).not.toBe(plain.bytes);
});

test("the canonical form is that of RFC 8785", () => {
  // SHA-256 of {"a":1e-7,"€":"\u2028","😀":1e+21} with the keys in UTF-16 order, computed by sha256sum.
  expect(canonicalHash({ "😀": 1e21, a: 1e-7, "€": "\u2028" })).toBe(
    "sha256:9dff36350768c99ea547c8a56ec64cc01ce1435d0e95f7d23febf8973975f68a",
  );
});

test("what is not JSON has no canonical form", () => {
  expect(() => canonicalHash(undefined)).toThrow(TypeError);
  expect(() => schemaHashes("{")).toThrow(SyntaxError);
});
