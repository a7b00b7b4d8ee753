import { afterEach, describe, expect, test, vi } from "vitest";
import { DEFAULT_WEIGHTS } from "../../scoring/score.js";
import { type ExportTarget, onlyKinds, outputKinds, resolveExportOptions } from "./target.js";

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
    expect(outputKinds({ ...target, toPreference: build })).toEqual(["dpo"]);
    expect(outputKinds(target)).toEqual([]);
  });

  test("kinds that are not wanted are not built", () => {
    const all = { ...target, toSft: build, toPpo: build, toPreference: build };
    expect(outputKinds(onlyKinds(all, ["dpo", "sft"]))).toEqual(["dpo", "sft"]);
    expect(outputKinds(onlyKinds({ ...target, toDpo: build }, ["dpo", "ppo"]))).toEqual(["dpo"]);
  });
});

describe("resolveExportOptions", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("the defaults are the current time, the weights of the format, seed 0, and one pair where the acts of the branches part", () => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    expect(resolveExportOptions()).toEqual({
      exportedAtMs: 1_700_000_000_000,
      weights: DEFAULT_WEIGHTS,
      seed: 0,
      pairs: "act",
      pairing: "best-worst",
      minGap: 0,
      maxPairs: Number.MAX_SAFE_INTEGER,
      rankAgain: false,
      missingTools: "warn",
    });
  });

  test.each([-1, 1.5, Number.NaN])("refuses the time %d", (exportedAtMs) => {
    expect(() => resolveExportOptions({ exportedAtMs })).toThrow(RangeError);
  });
});
