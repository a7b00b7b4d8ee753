import { describe, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { createEvalIndex } from "./create-eval-index.js";

const item = (text: string, line = 1) => ({ id: `#${line}`, text, file: "eval.jsonl", line });
const words = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(" ");

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe("createEvalIndex", () => {
  test("checks task after task", () => {
    const index = createEvalIndex([item(words("e", 8))]);
    expect(index.findOverlaps({ id: "clean", text: words("t", 100) })).toEqual([]);
    expect(index.findOverlaps({ id: "r1", text: `x ${words("E", 8)}.` })).toEqual([
      {
        task: "r1",
        evalItem: { file: "eval.jsonl", line: 1, id: "#1" },
        ngram: words("e", 8),
        overlapRatio: 1,
        longestSpan: 8,
      },
    ]);
    expect(index.findOverlaps({ id: "clean", text: words("t", 100) })).toEqual([]);
  });

  test("gives a verdict without the findings", () => {
    const index = createEvalIndex([item(words("e", 9))]);
    expect(index.isContaminated(`x ${words("e", 8)}`)).toBe(true);
    expect(index.isContaminated(`x ${words("e", 7)} x e7 e8`)).toBe(false);
  });

  test("counts items and names those that nothing can match", () => {
    const index = createEvalIndex([item("?", 1), item("yes", 2)]);
    expect(index.n).toBe(8);
    expect(index.itemCount).toBe(2);
    expect(index.emptyItems).toEqual([{ file: "eval.jsonl", line: 1, id: "#1" }]);
    expect(index.isContaminated("?")).toBe(false);
  });

  test("gives every item its finding if all are equal", () => {
    const index = createEvalIndex(
      Array.from({ length: 100_000 }, (_, line) => item(words("e", 60), line)),
    );
    const findings = index.findOverlaps({ id: "r1", text: words("e", 60) });
    expect(findings.map(({ evalItem }) => evalItem.line)).toEqual([...Array(100_000).keys()]);
    expect(new Set(findings.map(({ overlapRatio }) => overlapRatio))).toEqual(new Set([1]));
  });

  test("gives every item its finding if all share an n-gram", () => {
    const phrase = words("p", 8);
    const index = createEvalIndex(
      Array.from({ length: 100_000 }, (_, line) => item(`${phrase} ${line} z`, line)),
    );
    const findings = index.findOverlaps({ id: "r1", text: phrase });
    expect(findings).toHaveLength(100_000);
    expect(new Set(findings.map(({ overlapRatio }) => overlapRatio))).toEqual(new Set([0.8]));
  });

  test("takes 10 MB of one word on both sides", () => {
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

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses n = %d", (n) => {
    const error = caught(() => createEvalIndex([item("a")], { n }));
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ exitCode: EXIT.usage });
  });

  test.each([
    ["no items", []],
    ["items without tokens only", [item("?"), item("")]],
  ])("refuses %s: such a gate looks at nothing", (_, items) => {
    const error = caught(() => createEvalIndex(items));
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ exitCode: EXIT.unreadable });
  });
});
