import { describe, expect, test } from "vitest";
import { type ExportTarget, outputKinds } from "./target.js";

describe("outputKinds", () => {
  const target: ExportTarget = { id: "t", purpose: "", readsToolEvents: false, features: {} };
  const build = () => ({});

  test("the kinds that a target builds, in their own order", () => {
    expect(outputKinds({ ...target, toSft: build, toPpo: build, toDpo: build })).toEqual([
      "dpo",
      "ppo",
      "sft",
    ]);
    expect(outputKinds({ ...target, toSft: build })).toEqual(["sft"]);
    expect(outputKinds(target)).toEqual([]);
  });
});
