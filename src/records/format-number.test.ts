import { expect, test } from "vitest";
import { formatNumber } from "./format-number.js";

test.each([0, 7, 999, 1000, 12345, 999_999, 1_234_567, 2 ** 53])("%d, as Intl has it", (count) => {
  expect(formatNumber(count)).toBe(count.toLocaleString("en-US"));
});
