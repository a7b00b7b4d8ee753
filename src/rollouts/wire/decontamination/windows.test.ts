import { describe, expect, test } from "vitest";
import { createEvalCorpus } from "./corpus.js";
import { normaliseTokens } from "./tokens.js";
import { createWindowIndex, emptySlots, NOWHERE, openTable } from "./windows.js";

describe("createWindowIndex", () => {
  const corpus = createEvalCorpus(
    ["a b c d", "b c d e", "c a"].map((text, i) => ({ id: `${i}`, text, file: "f", line: i + 1 })),
  );
  const index = createWindowIndex(corpus, 3);
  const tokensOf = (text: string) => Int32Array.from(normaliseTokens(text), corpus.vocabulary.find);

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

describe("openTable", () => {
  const corpus = Int32Array.of(1, 2, 3, 1, 2, 4);

  test("finds a window where it was first added", () => {
    const table = openTable(corpus, 2, emptySlots(5));
    expect(table.add(11, 0)).toBe(0);
    expect(table.add(12, 1)).toBe(1);
    expect(table.add(11, 3)).toBe(0);
    expect(table.find(11, Int32Array.of(9, 1, 2), 1)).toBe(0);
    expect(table.find(12, Int32Array.of(2, 4), 0)).toBe(NOWHERE);
    expect(table.find(99, Int32Array.of(2, 4), 0)).toBe(NOWHERE);
  });

  test("compares tokens, so that colliding windows stay separate", () => {
    const table = openTable(corpus, 2, emptySlots(5));
    const positions = [0, 1, 2, 3, 4].map((position) => table.add(7, position));
    expect(positions).toEqual([0, 1, 2, 0, 4]);
    expect(table.find(7, Int32Array.of(2, 4), 0)).toBe(4);
    expect(table.find(7, Int32Array.of(4, 2), 0)).toBe(NOWHERE);
  });

  test("stops searching even if the table is full", () => {
    for (const capacity of [1, 2, 3, 4, 5]) {
      const distinct = Int32Array.from({ length: capacity }, (_, index) => index);
      const table = openTable(distinct, 1, emptySlots(capacity));
      for (let at = 0; at < capacity; at += 1) expect(table.add(-1, at)).toBe(at);
      expect(table.find(-1, Int32Array.of(capacity), 0)).toBe(NOWHERE);
    }
  });
});
