import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { JsonTextError, type JsonTextFault, parseJsonText, toCanonicalText } from "./json-text.js";

interface Vector {
  readonly why: string;
  readonly text: string;
  readonly canonical?: string;
  readonly fault?: JsonTextFault["id"];
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL("../../../fixtures/hashes/canonical.json", import.meta.url), "utf8"),
);

function faultOf(source: string | Uint8Array): JsonTextFault | undefined {
  try {
    parseJsonText(source);
    return undefined;
  } catch (error) {
    if (error instanceof JsonTextError) return error.fault;
    throw error;
  }
}

test("the vectors have valid and invalid texts", () => {
  expect(vectors.filter(({ canonical }) => canonical !== undefined).length).toBeGreaterThan(30);
  expect(vectors.filter(({ fault }) => fault !== undefined).length).toBeGreaterThan(10);
});

test.each(vectors)("$why", ({ text, canonical, fault }) => {
  expect(faultOf(text)?.id).toBe(fault);
  expect(faultOf(Buffer.from(text))?.id).toBe(fault);
  if (canonical !== undefined) expect(toCanonicalText(parseJsonText(text))).toBe(canonical);
});

test("a fault has a position and a message", () => {
  expect(faultOf('{"a": 1,\n "b": {"c": "\\ud83d"}}')).toEqual({
    id: "well-formed-unicode",
    pointer: "/b/c",
    offset: 21,
    message: "holds a lone surrogate: U+D83D",
  });
  expect(faultOf('{"a": [1, 1e999]}')).toMatchObject({ id: "number", pointer: "/a/1", offset: 10 });
  expect(faultOf('{"a": 1, "a": 2}')).toMatchObject({ pointer: "/a", offset: 9 });
  expect(faultOf('{"a": tru}')).toMatchObject({ pointer: "", offset: 6 });
  expect(() => parseJsonText('{"a": 1, "a": 2}')).toThrow(
    '/a has a second value under the key "a": remove one of the two',
  );
});

test("bytes that are not UTF-8", () => {
  expect(faultOf(Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({ id: "json", offset: 1 });
  expect(faultOf('"\ud83d"')?.id).toBe("well-formed-unicode");
});

test("a value without a canonical form", () => {
  expect(() => toCanonicalText({ a: "\ud83d" })).toThrow("has no canonical form (RFC 8785)");
  expect(() => toCanonicalText(Number.NaN)).toThrow("has no canonical form (RFC 8785)");
  expect(() => toCanonicalText(undefined)).toThrow(TypeError);
});
