import { expect, test } from "vitest";
import { outputKinds } from "./output-kinds.js";
import type { ExportTarget } from "./targets/target.js";

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
