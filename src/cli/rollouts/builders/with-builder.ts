import type { RolloutBranch } from "#generated/index.js";
import type { RolloutBuilder } from "../rollout-builder.js";
import { createExportBuilder, type ExportPlan } from "./export-builder.js";
import { createRankBuilder, type RankPlan } from "./rank-builder.js";

/** Which builder to make, and of what; plain data, so that every thread can make its own. */
export type BuilderPlan =
  | ({ readonly id: "export" } & ExportPlan)
  | ({ readonly id: "rank" } & RankPlan);

/** Calls `use` with the builder of a plan, whatever type its branches are of. */
export function withBuilder<Result>(
  plan: BuilderPlan,
  use: <Branch extends RolloutBranch>(builder: RolloutBuilder<Branch>) => Result,
): Result {
  return plan.id === "export" ? use(createExportBuilder(plan)) : use(createRankBuilder(plan));
}
