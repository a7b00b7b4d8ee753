import { expect, test } from "vitest";
import { DEFAULT_WEIGHTS } from "../scoring/weights.js";
import { resolveExportOptions } from "./export-options.js";

test("now and the format's weights by default", () => {
  const before = Date.now();
  const { exportedAtMs, weights } = resolveExportOptions();
  expect(exportedAtMs).toBeGreaterThanOrEqual(before);
  expect(exportedAtMs).toBeLessThanOrEqual(Date.now());
  expect(weights).toBe(DEFAULT_WEIGHTS);
});

test.each([-1, 1.5, Number.NaN])("a time of %d is refused", (exportedAtMs) => {
  expect(() => resolveExportOptions({ exportedAtMs })).toThrow(RangeError);
});
