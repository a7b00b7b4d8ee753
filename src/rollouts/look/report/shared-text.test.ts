import fc from "fast-check";
import { expect, test } from "vitest";
import { runCount } from "../../../base/testing/run-count.js";
import { normaliseTokens } from "../../wire/decontamination/tokens.js";
import { findSharedText } from "./shared-text.js";

const sharedOf = (task: string, item: string, n: number): string[] =>
  findSharedText(task, item, n).map(([start, end]) => task.slice(start, end));

test.each<[task: string, item: string, n: number, shared: string[]]>([
  ["Please book a flight to Rome today.", "BOOK a flight; to rome", 3, ["book a flight to Rome"]],
  ["one two three x two three four", "two three", 8, ["two three", "two three"]],
  ["a b c d e", "a b c - c d e", 3, ["a b c d e"]],
  ["nothing of it", "something else", 1, []],
  ["a b", "", 8, []],
  ["a b", "...", 8, []],
  ["予約を取る", "約を取", 3, ["約を取"]],
  ["ﬁve ﬁshes swim", "five fishes", 2, ["ﬁve ﬁshes"]],
])("%s, against %s, n = %d", (task, item, n, shared) => {
  expect(sharedOf(task, item, n)).toEqual(shared);
});

test("what is marked has the tokens of the item, wherever it stands in the task", () => {
  const words = fc.array(fc.constantFrom("Rome", "a", "fly,", "9", "İstanbul", "日本", "e\u0301"), {
    minLength: 3,
    maxLength: 6,
  });
  const around = fc.array(fc.constantFrom("x", "y.", "Z"), { maxLength: 4 });
  fc.assert(
    fc.property(words, around, around, (item, before, after) => {
      const task = [...before, ...item, ...after].join(" ");
      const spans = sharedOf(task, item.join(" "), 50);
      expect(spans.length).toBeGreaterThan(0);
      const tokens = normaliseTokens(item.join(" ")).join(" ");
      expect(spans.some((span) => normaliseTokens(span).join(" ").includes(tokens))).toBe(true);
    }),
    { numRuns: runCount(2_000) },
  );
});
