import { expect, test } from "vitest";
import { toJsonl } from "./to-jsonl.js";

test("one record per line, each line ended", () => {
  expect(toJsonl([{ b: "two\nlines", a: [1, null] }, {}])).toBe(
    '{"b":"two\\nlines","a":[1,null]}\n{}\n',
  );
  expect(toJsonl([])).toBe("");
});

test("names the record and the place that JSON cannot hold", () => {
  expect(() => toJsonl([{}, { "a/b": [{ x: Number.POSITIVE_INFINITY }] }])).toThrow(
    new TypeError('record 1: JSON cannot hold Infinity at "/a~1b/0/x"'),
  );
});

test("refuses what JSON.stringify refuses, with the record's number", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(() => toJsonl([cycle])).toThrow(/^record 0: JSON cannot hold it: .*circular/);
  expect(() => toJsonl([{}, { n: 1n }])).toThrow(/^record 1: JSON cannot hold it/);
});
