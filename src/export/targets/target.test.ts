import { afterEach, describe, expect, test, vi } from "vitest";
import { DEFAULT_WEIGHTS } from "../../scoring/score.js";
import { type ExportTarget, outputKinds, resolveExportOptions } from "./target.js";

describe("outputKinds", () => {
  const target: ExportTarget = {
    id: "t",
    purpose: "",
    readsToolEvents: false,
    readsReasoning: true,
    features: {},
  };
  const build = () => ({});

  test("the kinds that a target builds, in fixed order", () => {
    expect(outputKinds({ ...target, toSft: build, toPpo: build, toDpo: build })).toEqual([
      "dpo",
      "ppo",
      "sft",
    ]);
    expect(outputKinds({ ...target, toSft: build })).toEqual(["sft"]);
    expect(outputKinds(target)).toEqual([]);
  });
});

describe("resolveExportOptions", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("the defaults are the current time, the weights of the format and seed 0", () => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    expect(resolveExportOptions()).toEqual({
      exportedAtMs: 1_700_000_000_000,
      weights: DEFAULT_WEIGHTS,
      seed: 0,
    });
  });

  test.each([-1, 1.5, Number.NaN])("refuses the time %d", (exportedAtMs) => {
    expect(() => resolveExportOptions({ exportedAtMs })).toThrow(RangeError);
  });
});
