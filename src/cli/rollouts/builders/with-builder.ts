import type { RolloutBranch } from "#generated/index.js";
import type { RolloutBuilder } from "../rollout-builder.js";
import { createExportBuilder, type ExportPlan } from "./export-builder.js";

/** Which builder to make, and of what; plain data, so that every thread can make its own. */
export type BuilderPlan = { readonly id: "export" } & ExportPlan;

/** Calls `use` with the builder of a plan, whatever type its branches are of. */
export function withBuilder<Result>(
  plan: BuilderPlan,
  use: <Branch extends RolloutBranch>(builder: RolloutBuilder<Branch>) => Result,
): Result {
  return use(createExportBuilder(plan));
}
