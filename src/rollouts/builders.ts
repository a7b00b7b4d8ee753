import {
  isRolloutBranch,
  isRolloutBranchRecord,
  type RolloutBranch,
  type RolloutBranchRecord,
} from "#generated/index.js";
import { buildRollout } from "../export/build-rollout.js";
import { type TargetId, targets } from "../export/targets/index.js";
import type { ExportOptions } from "../export/targets/target.js";
import { outputKinds } from "../export/targets/target.js";
import { OutlineReader } from "../jsonl/outline-reader.js";
import { wholeReader } from "../jsonl/reader.js";
import { findUnrankable, rankScored } from "../scoring/rank.js";
import type { ScoreWeights } from "../scoring/score.js";
import type { BranchFault } from "../validation/check-record.js";
import type { RuleSeverities } from "../validation/profiles.js";
import type { RolloutBuilder } from "./builder.js";

/** What every thread has to know of a run; plain data. */
export interface RolloutPlan {
  readonly builder: BuilderPlan;
  readonly severities: RuleSeverities;
  /** How many findings of each severity are listed. */
  readonly maxErrors: number;
  /**
   * Whether a faulty line, or rollout, is left out of the outputs and kept as a reject; what is wrong
   * with it is then a warning. Otherwise it is an error, and there are no outputs.
   */
  readonly skipInvalid: boolean;
}

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

export interface ExportPlan {
  readonly target: TargetId;
  readonly options: ExportOptions;
}

/** Builds the records of an export target; the outputs are the kinds of file that the target knows. */
export function createExportBuilder({
  target: id,
  options,
}: ExportPlan): RolloutBuilder<RolloutBranchRecord> {
  const target = targets[id];
  const kinds = outputKinds(target);
  return {
    type: "RolloutBranchRecord",
    reader: target.readsToolEvents ? wholeReader : new OutlineReader(),
    outputs: kinds,
    read: (value) => (isRolloutBranchRecord(value) ? value : undefined),
    checkRollout: () => [],
    build(branches) {
      const { records, omitted, unreadableToolEvents } = buildRollout(branches, target, options);
      return {
        outputs: kinds.map((kind) => ({ records: records[kind], omitted: omitted[kind] })),
        unreadableToolEvents: unreadableToolEvents.length,
      };
    },
  };
}

export interface RankPlan {
  readonly weights: ScoreWeights;
}

/** Ranks captured branches; the one output holds them as `RolloutBranchRecord`, best first. */
export function createRankBuilder({ weights }: RankPlan): RolloutBuilder<RolloutBranch> {
  return {
    type: "RolloutBranch",
    reader: new OutlineReader(),
    outputs: ["ranked"],
    read: (value) => (isRolloutBranch(value) ? value : undefined),
    checkRollout: findUnrankableBranches,
    build(branches) {
      return { outputs: [{ records: rankScored(branches, { weights }) }], unreadableToolEvents: 0 };
    },
  };
}

function findUnrankableBranches(branches: readonly RolloutBranch[]): BranchFault[] {
  return branches.flatMap((each, branch) =>
    findUnrankable([each]).map(({ id, pointer, message }) => ({
      branch,
      id,
      severity: "error",
      pointer,
      message,
    })),
  );
}
