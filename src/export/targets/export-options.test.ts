import { afterEach, expect, test, vi } from "vitest";
import { DEFAULT_WEIGHTS } from "../../scoring/score.js";
import { resolveExportOptions } from "./target.js";

afterEach(() => {
  vi.useRealTimers();
});

test("now and the format's weights by default", () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  expect(resolveExportOptions()).toEqual({
    exportedAtMs: 1_700_000_000_000,
    weights: DEFAULT_WEIGHTS,
    seed: 0,
  });
});

test.each([-1, 1.5, Number.NaN])("a time of %d is refused", (exportedAtMs) => {
  expect(() => resolveExportOptions({ exportedAtMs })).toThrow(RangeError);
});
