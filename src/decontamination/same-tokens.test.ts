import { expect, test } from "vitest";
import { sameTokens } from "./same-tokens.js";

const a = Int32Array.of(1, 2, 3, 4);
const b = Int32Array.of(9, 2, 3, 5);

test("compares as many tokens as asked, from where asked", () => {
  expect(sameTokens(a, 1, b, 1, 2)).toBe(true);
  expect(sameTokens(a, 1, b, 1, 3)).toBe(false);
  expect(sameTokens(a, 0, b, 1, 1)).toBe(false);
});

test("finds nothing beyond the end of one side", () => {
  expect(sameTokens(a, 3, Int32Array.of(4), 0, 1)).toBe(true);
  expect(sameTokens(a, 2, Int32Array.of(3), 0, 2)).toBe(false);
});
