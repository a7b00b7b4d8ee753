import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.js";

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [6_100_000, "6.1 MB"],
  [5_432_100_000_000, "5432.1 GB"],
])("%d", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
