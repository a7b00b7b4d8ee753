import { expect, test } from "vitest";
import { createEvalIndex } from "./eval-index.js";

const item = (text: string, line = 1) => ({ id: `#${line}`, text, file: "eval.jsonl", line });
const words = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(" ");

test("reports every item if all are equal", () => {
  const index = createEvalIndex(
    Array.from({ length: 100_000 }, (_, line) => item(words("e", 60), line)),
  );
  const findings = index.findOverlaps({ id: "r1", text: words("e", 60) });
  expect(findings.map(({ evalItem }) => evalItem.line)).toEqual([...Array(100_000).keys()]);
  expect(new Set(findings.map(({ overlapRatio }) => overlapRatio))).toEqual(new Set([1]));
});

test("reports every item if all share an n-gram", () => {
  const phrase = words("p", 8);
  const index = createEvalIndex(
    Array.from({ length: 100_000 }, (_, line) => item(`${phrase} ${line} z`, line)),
  );
  const findings = index.findOverlaps({ id: "r1", text: phrase });
  expect(findings).toHaveLength(100_000);
  expect(new Set(findings.map(({ overlapRatio }) => overlapRatio))).toEqual(new Set([0.8]));
});

test("handles 10 MB of one repeated word on both sides", () => {
  const text = "word ".repeat(2_000_000);
  const index = createEvalIndex([item(text, 1), item(`${"word ".repeat(10)} end`, 2)]);
  const found = index
    .findOverlaps({ id: "r1", text })
    .map(({ overlapRatio, longestSpan }) => ({ overlapRatio, longestSpan }));
  expect(found).toEqual([
    { overlapRatio: 1, longestSpan: 2_000_000 },
    { overlapRatio: 10 / 11, longestSpan: 10 },
  ]);
});
