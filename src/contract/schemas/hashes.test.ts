import { expect, test } from "vitest";
import { canonicalHash, schemaHashes } from "./hashes.js";

test("layout and key order change only the hash of bytes", () => {
  const plain = schemaHashes('{"a":1,"b":[true,null]}');
  const laidOut = schemaHashes('\ufeff{\r\n  "b": [true, null],\r\n  "a": 1.0\r\n}\r\n');
  expect({ ...laidOut, bytes: plain.bytes }).toEqual(plain);
  expect(laidOut.bytes).not.toBe(plain.bytes);
});

test("documentation changes bytes and canonical form", () => {
  const plain = schemaHashes('{"type":"object"}');
  const described = schemaHashes('{"type":"object","title":"An object"}');
  expect(described.contract).toBe(plain.contract);
  expect(described.canonical).not.toBe(plain.canonical);
});

test("each hash names its scheme", () => {
  // Of {"type":"string"}, which is canonical and its own contract, by sha256sum.
  const digits = "00404e686415370f1711c4d7acfa2905444d3cf23cef2e10c47d445ebe690f96";
  expect(schemaHashes('{"type":"string"}')).toEqual({
    bytes: `sha256:${digits}`,
    canonical: `rfc8785-sha256:${digits}`,
    contract: `contract1-sha256:${digits}`,
  });
});

test("the canonical form is that of RFC 8785", () => {
  // SHA-256 of {"a":1e-7,"€":"\u2028","😀":1e+21} with the keys in UTF-16 order, computed by sha256sum.
  expect(canonicalHash({ "😀": 1e21, a: 1e-7, "€": "\u2028" })).toBe(
    "rfc8785-sha256:9dff36350768c99ea547c8a56ec64cc01ce1435d0e95f7d23febf8973975f68a",
  );
});

test("a text and its bytes have the same hash", () => {
  const text = '{"title": "é"}\n';
  expect(schemaHashes(Buffer.from(text))).toEqual(schemaHashes(text));
});

test("invalid JSON has no hashes", () => {
  expect(() => canonicalHash(undefined)).toThrow(TypeError);
  expect(() => schemaHashes("{")).toThrow("is not JSON: unexpected end of input");
  expect(() => schemaHashes('{"a": "\\ud800"}')).toThrow("/a holds a lone surrogate: U+D800");
});
