import { expect, test } from "vitest";
import { formatCount } from "./format-count.js";

test.each([
  [0, "0 errors"],
  [1, "1 error"],
  [1234567, "1,234,567 errors"],
])("%d", (count, text) => {
  expect(formatCount(count, "error")).toBe(text);
});

test("an irregular plural", () => {
  expect(formatCount(1, "branch", "branches")).toBe("1 branch");
  expect(formatCount(2, "branch", "branches")).toBe("2 branches");
});
