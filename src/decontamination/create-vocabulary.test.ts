import { expect, test } from "vitest";
import { createVocabulary } from "./create-vocabulary.js";
import { UNKNOWN_TOKEN } from "./some-window.js";

test("numbers words from 0, each once, and gives them back", () => {
  const vocabulary = createVocabulary();
  expect(["b", "a", "b"].map(vocabulary.add)).toEqual([0, 1, 0]);
  expect(["a", "b", "c"].map(vocabulary.find)).toEqual([1, 0, UNKNOWN_TOKEN]);
  expect(vocabulary.textOf(Int32Array.of(0, 1, 0))).toBe("b a b");
  expect(() => vocabulary.textOf(Int32Array.of(2))).toThrow(RangeError);
});

test("knows no word but those it was given", () => {
  expect(createVocabulary().find("constructor")).toBe(UNKNOWN_TOKEN);
});
