import { describe, expect, test } from "vitest";
import { createEvalCorpus } from "./create-eval-corpus.js";
import { createWindowIndex } from "./create-window-index.js";
import { normaliseTokens } from "./normalise-tokens.js";

const corpus = createEvalCorpus(
  ["a b c d", "b c d e", "c a"].map((text, i) => ({ id: `${i}`, text, file: "f", line: i + 1 })),
);
const index = createWindowIndex(corpus, 3);
const tokensOf = (text: string) => Int32Array.from(normaliseTokens(text), corpus.vocabulary.find);

describe("createWindowIndex", () => {
  test.each([
    ["a window that two texts hold", "x b c d x", [1, 4]],
    ["windows in ascending order, each once", "b c d e a b c b c d", [0, 1, 4, 5]],
    ["a text that is shorter than n", "x c a", [8]],
    ["no window across the end of a text", "d b c", []],
    ["no window with a word that no text holds", "a b x c", []],
    ["nothing in nothing", "", []],
  ])("finds %s", (_, text, positions) => {
    const tokens = tokensOf(text);
    expect([...index.sharedPositions(tokens)]).toEqual(positions);
    expect(index.sharesWindow(tokens)).toBe(positions.length > 0);
  });
});
