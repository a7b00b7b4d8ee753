import { isRolloutBranch, type RolloutBranch } from "#generated/index.js";
import { BranchReader } from "../wire/scan/branch-reader.js";
import { countLost, LOST_BRANCHES } from "../wire/scoring/lost-branches.js";
import { rankScored } from "../wire/scoring/rank.js";
import {
  type BuilderPlan,
  findUnrankableBranches,
  type RankPlan,
  type RolloutBuilder,
  readerOf,
} from "./builder.js";

/** Creates the builder of a plan. The exporter is loaded only for an export. */
export async function createBuilder(plan: BuilderPlan): Promise<RolloutBuilder> {
  if (plan.id === "rank") return createRankBuilder(plan);
  const { createExportBuilder } = await import("./export-builder.js");
  return createExportBuilder(plan);
}

/** Ranks captured branches. The single output contains them as `RolloutBranchRecord`, best first. */
export function createRankBuilder({ weights }: RankPlan): RolloutBuilder<RolloutBranch> {
  return {
    type: "RolloutBranch",
    reader: new BranchReader("RolloutBranch", "outline"),
    outputs: ["ranked"],
    read: readerOf("RolloutBranch", isRolloutBranch),
    checkRollout: findUnrankableBranches,
    build(branches, lost) {
      const ranked = rankScored(branches, { weights });
      const all = lost + countLost(branches);
      const records =
        lost === 0 ? ranked : ranked.map((each) => ({ ...each, [LOST_BRANCHES]: all }));
      return { outputs: [{ records }], unreadableToolEvents: 0, missingTools: 0 };
    },
  };
}
