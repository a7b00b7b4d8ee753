import { Option } from "commander";
import { describeFindings } from "../../base/findings/finding.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { type RankOutcome, rankFiles } from "../../rollouts/pipeline/write-rollouts.js";
import { refuseLog } from "../log-files.js";
import {
  findingOptions,
  readRunOptions,
  rejectsOption,
  skipOptions,
  workersOption,
} from "../options.js";
import { describeNothing } from "../output.js";
import {
  readInputs,
  readSeverities,
  readWeights,
  ruleOptions,
  shardOption,
  weightsOption,
} from "../rollout-options.js";
import { formatRows, listInvalidRollouts, type SummaryRow } from "../summary.js";
import { defineWriter } from "../writer.js";

/** Ranks captured branches into one file. Prints findings on stdout and the summary on stderr. */
export const command = defineWriter("rank", {
  options: [
    new Option(
      "-i, --input <file...>",
      "files, folders or glob patterns of RolloutBranch JSONL, with objective_score and judge_score if captured; - is standard input",
    ).makeOptionMandatory(),
    new Option("-o, --output <file>", "ranked branches").makeOptionMandatory(),
    weightsOption,
    shardOption,
    ...skipOptions("invalid", "errored"),
    rejectsOption,
    workersOption,
    ...ruleOptions,
    ...findingOptions,
  ],
  examples: [
    "rank --input captured.jsonl --output rollouts.jsonl",
    "rank --input 'captured/*.jsonl' --output rollouts.jsonl --weights objective=1,judge=0",
    "rank --input captured/ --output rollouts.jsonl --skip invalid --rejects rejects.jsonl",
  ],
  async perform({ options }, context, base) {
    const output = options.text("output");
    const outcome = await rankFiles(
      {
        ...base,
        refuseFile: refuseLog(context),
        ...(await readInputs(options, options.texts("input"), context)),
        ...readRunOptions(options),
        output,
        weights: readWeights(options),
        severities: readSeverities(options),
      },
      context,
    );
    return { outcome, summary: formatRows(describeRanking(outcome, output)) };
  },
});

function describeRanking(
  { findings, receiver, written }: RankOutcome,
  output: string,
): SummaryRow[] {
  const { counts, rejected, errored } = receiver;
  const checked = [
    formatCount(findings.records - rejected, "branch", "branches"),
    ...(errored > 0 ? [formatCount(errored, "errored branch", "errored branches")] : []),
    ...(rejected > 0 ? [formatCount(rejected, "invalid record")] : []),
    ...listInvalidRollouts(counts.faulty.rollouts, counts.faulty.branches),
    describeFindings(findings),
  ];
  const ranked = [
    formatCount(counts.branches, "branch", "branches"),
    formatCount(counts.rollouts, "rollout"),
  ];
  return [
    ["validate", checked.join(", ")],
    written
      ? ["rank", `${escapeControls(output)}  ${ranked.join(", ")}`]
      : ["rank", describeNothing(findings, "branch", "branches")],
  ];
}
