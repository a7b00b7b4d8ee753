import {
  isRolloutBranch,
  isRolloutBranchRecord,
  type RolloutBranch,
  type RolloutBranchRecord,
} from "#generated/index.js";
import { RecordRedactor } from "../capture/redact/line-redactor.js";
import { BranchConversation } from "../wire/conversation/conversation.js";
import { buildRollout } from "../wire/export/build-rollout.js";
import { targets } from "../wire/export/targets/index.js";
import { type ExportOptions, onlyKinds, outputKinds } from "../wire/export/targets/target.js";
import { BranchReader, RULED_FIELDS } from "../wire/scan/branch-reader.js";
import { LOST_BRANCHES } from "../wire/scoring/lost-branches.js";
import { rankScored } from "../wire/scoring/rank.js";
import type { BranchFault } from "../wire/validation/check-record.js";
import { RUN_ERROR } from "./build-block.js";
import {
  type ExportPlan,
  findUnrankableBranches,
  type RolloutBuilder,
  readerOf,
} from "./builder.js";
import { MAX_LISTED } from "./rollout-counts.js";

/** Fields that are read, and that the format does not declare. */
const FOREIGN = [RUN_ERROR, LOST_BRANCHES];

/** Builds the records of an export target from branches that are ranked, or that are to be ranked first. */
export function createExportBuilder(plan: ExportPlan): RolloutBuilder {
  const exporter = createRankedBuilder(plan);
  if (plan.ranks !== true) return exporter;
  const { redaction, target, options } = plan;
  const isParsed = redaction !== undefined || targets[target].readsToolEvents;
  return {
    ...exporter,
    type: "RolloutBranch",
    reader: new BranchReader("RolloutBranch", isParsed ? "whole" : "outline", FOREIGN),
    read: readerOf("RolloutBranch", isRolloutBranch),
    checkRollout: (branches) => [
      ...findRanked(branches),
      ...findUnrankableBranches(branches),
      ...findRolloutFaults(branches, plan),
    ],
    build: (branches, lost) =>
      exporter.build(rankScored(branches, { weights: options.weights }), lost),
  };
}

/**
 * Builds the records of an export target. There is one output for each kind of file that the target writes. With
 * `redaction`, secrets are replaced after the branches are checked, so that findings and task comparisons refer to
 * the input.
 */
function createRankedBuilder(plan: ExportPlan): RolloutBuilder<RolloutBranchRecord> {
  const { options, redaction } = plan;
  const { target, kinds } = chooseKinds(plan);
  const redactor = redaction && new RecordRedactor(redaction);
  return {
    type: "RolloutBranchRecord",
    reader: new BranchReader(
      "RolloutBranchRecord",
      redactor || target.readsOrigin
        ? "whole"
        : { fields: EXPORTED_FIELDS, events: target.readsToolEvents ? "parsed" : "copied" },
      FOREIGN,
    ),
    outputs: kinds,
    read: readerOf("RolloutBranchRecord", isRolloutBranchRecord),
    checkRollout: (branches) => findRolloutFaults(branches, plan),
    build(given, lost) {
      const branches = redactor ? given.map((branch) => redactor.redact(branch)) : given;
      const built = buildRollout(branches, target, options, lost);
      const { records, pairs, omitted, unreadableToolEvents, missingTools } = built;
      return {
        secrets: redactor?.takeSecrets(),
        pairs: pairs.slice(0, MAX_LISTED),
        sameActs: pairs.filter(({ commonPrompt }) => commonPrompt === "same-acts").length,
        passedOver: built.passedOver,
        unrewarded: kinds.includes("ppo") ? built.unrewarded : 0,
        outputs: kinds.map((kind) => ({ records: records[kind], omitted: omitted[kind] })),
        unreadableToolEvents: unreadableToolEvents.length,
        missingTools,
      };
    },
  };
}

function chooseKinds({ target: id, kinds: wanted }: ExportPlan) {
  const target = wanted === undefined ? targets[id] : onlyKinds(targets[id], wanted);
  return { target, kinds: outputKinds(target) };
}

function findRolloutFaults(branches: readonly RolloutBranch[], plan: ExportPlan): BranchFault[] {
  const { options } = plan;
  const { target, kinds } = chooseKinds(plan);
  return [
    ...(kinds.includes("dpo") ? findTooManyPairs(branches.length, options) : []),
    ...(options.missingTools === "error" && target.readsToolEvents
      ? findMissingTools(branches)
      : []),
  ];
}

/** A rank says nothing among branches that have none. */
function findRanked(branches: readonly RolloutBranch[]): BranchFault[] {
  return branches.flatMap((each, branch) =>
    isRolloutBranchRecord(each)
      ? [{ branch, id: "ranked-branch", severity: "error", pointer: "/rank", message: RANKED }]
      : [],
  );
}

const RANKED =
  "is ranked, and others are not: rank all branches of the input, or export the ranked ones by themselves";

/** Fields that targets without `readsOrigin` read, apart from the tool events. They may also read those that are not known to the reader. */
export const EXPORTED_FIELDS = [...RULED_FIELDS, "temperature", "final_answer"] as const;

/**
 * Most pairs of a rollout without `--max-pairs-per-rollout`: they are held in memory together. 447 branches give as
 * many with `--pairing all`.
 */
const MAX_PAIRS = 100_000;

function findTooManyPairs(count: number, { pairing, maxPairs }: ExportOptions): BranchFault[] {
  const pairs = (count * (count - 1)) / 2;
  const isLimited = maxPairs !== Number.MAX_SAFE_INTEGER;
  if (pairing !== "all" || isLimited || pairs <= MAX_PAIRS) return [];
  const message = `its rollout has ${count} branches, which are ${pairs} pairs: limit them with --max-pairs-per-rollout`;
  return [{ branch: 0, id: "pair-count", severity: "error", pointer: "", message }];
}

function findMissingTools(branches: readonly RolloutBranch[]): BranchFault[] {
  return branches.flatMap((each, branch) =>
    new BranchConversation(each).lacksTools
      ? [{ branch, id: "missing-tools", severity: "error", pointer: "", message: MISSING }]
      : [],
  );
}

const MISSING =
  "calls tools and declares none, so a trainer would show the model no tools: add context.tools, or give --missing-tools warn";
