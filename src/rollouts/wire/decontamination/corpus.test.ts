import { expect, test } from "vitest";
import { createEvalCorpus } from "./corpus.js";

const item = (id: string, text: string) => ({ id, text, file: "eval.jsonl", line: 1 });

test("concatenates the texts and drops data that only the items needed", () => {
  const { texts, tokens, vocabulary } = createEvalCorpus([
    item("a", "One two."),
    item("b", "two!"),
  ]);
  expect(texts).toEqual([
    { start: 0, end: 2, items: [{ id: "a", file: "eval.jsonl", line: 1 }] },
    { start: 2, end: 3, items: [{ id: "b", file: "eval.jsonl", line: 1 }] },
  ]);
  expect(vocabulary.textOf(tokens)).toBe("one two two");
});

test("stores a repeated text once, with all its items", () => {
  const corpus = createEvalCorpus(
    ["a b", "b a", "A, b", "a b a", "a b"].map((text, i) => item(`${i}`, text)),
  );
  expect(corpus.texts.map(({ items }) => items.map(({ id }) => id))).toEqual([
    ["0", "2", "4"],
    ["1"],
    ["3"],
  ]);
  expect(corpus.vocabulary.textOf(corpus.tokens)).toBe("a b b a a b a");
});

test("counts every item and lists those without tokens", () => {
  const corpus = createEvalCorpus([item("a", "?!"), item("b", "x"), item("c", "")]);
  expect(corpus.itemCount).toBe(3);
  expect(corpus.emptyItems.map(({ id }) => id)).toEqual(["a", "c"]);
});

test("grows with the number of items", () => {
  const words = Array.from({ length: 5000 }, (_, index) => `w${index}`);
  const { tokens } = createEvalCorpus([
    item("a", "x"),
    item("b", words.join(" ")),
    item("c", "x y"),
  ]);
  expect(tokens).toHaveLength(5003);
  expect([...tokens.subarray(5000)]).toEqual([5000, 0, 5001]);
});
