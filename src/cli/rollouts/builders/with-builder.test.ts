import { expect, test } from "vitest";
import { resolveExportOptions } from "../../../export/export-options.js";
import { DEFAULT_WEIGHTS } from "../../../scoring/weights.js";
import { type BuilderPlan, withBuilder } from "./with-builder.js";

const plans: BuilderPlan[] = [
  { id: "export", target: "training", options: resolveExportOptions() },
  { id: "rank", weights: DEFAULT_WEIGHTS },
];

test("the builder of each plan, also when the plan was sent to another thread", () => {
  const outputs = plans.map((plan) =>
    withBuilder(structuredClone(plan), (builder) => builder.outputs),
  );
  expect(outputs).toEqual([["dpo", "ppo"], ["ranked"]]);
});
