import { Option } from "commander";
import { expandInputs, requireFiles } from "../../base/files/inputs.js";
import { resolveOutputs } from "../../base/files/outputs.js";
import { withStaging } from "../../base/files/staging.js";
import { describeFindings } from "../../base/findings/finding.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { EXIT } from "../../base/user-error.js";
import { type WriteOutcome, writeRollouts } from "../../rollouts/pipeline/write.js";
import type { Command } from "../command.js";
import {
  findingOptions,
  readFindingLimits,
  readRunOptions,
  rejectsOption,
  skipOptions,
  workersOption,
} from "../options.js";
import { formatRows, printReport, reportRecovery, type SummaryRow } from "../output.js";
import { startProgress } from "../progress.js";
import {
  readSeverities,
  readShard,
  readWeights,
  ruleOptions,
  shardOption,
  weightsOption,
} from "../rollout-options.js";

/** Ranks captured branches into one file. Prints findings on stdout and the summary on stderr. */
export const command: Command = {
  options: [
    new Option(
      "-i, --input <file...>",
      "files, folders or glob patterns of RolloutBranch JSONL, with objective_score and judge_score if captured; - is standard input",
    ).makeOptionMandatory(),
    new Option("-o, --output <file>", "ranked branches").makeOptionMandatory(),
    weightsOption,
    shardOption,
    ...skipOptions("invalid"),
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
  async run({ options }, context) {
    const inputs = options.texts("input");
    const shard = await readShard(options, inputs, context.cwd);
    const files = shard === undefined ? await expandInputs(inputs, context) : [shard.file];
    await requireFiles(files, context);
    const output = options.text("output");
    const { rejects, ...run } = readRunOptions(options);
    const named = rejects === undefined ? [output] : [output, rejects];
    const paths = await resolveOutputs(named, [...files, ...(shard?.siblings ?? [])], context.cwd);
    const [path = "", rejectsPath] = paths;
    const outcome = await withStaging(reportRecovery(context), async (staging) => {
      await staging.reserve(paths);
      const progress = await startProgress(files, context);
      const request = {
        ...run,
        staging,
        progress,
        files,
        builder: { id: "rank", weights: readWeights(options) },
        outputs: [{ path }],
        rejects: rejectsPath,
        limits: readFindingLimits(options),
        severities: readSeverities(options),
        mayBeEmpty: shard !== undefined,
      } as const;
      return await writeRollouts(request, context).finally(() => progress.stop());
    });
    printReport(outcome.findings.toReport("rank"), options.text("format"), context);
    context.stderr.write(formatRows(describeRanking(outcome, output)));
    return outcome.written ? EXIT.ok : EXIT.findings;
  },
};

function describeRanking(
  { findings, receiver, written }: WriteOutcome,
  output: string,
): SummaryRow[] {
  const { counts, rejected } = receiver;
  const checked = [
    formatCount(findings.records - rejected, "branch", "branches"),
    ...(rejected > 0 ? [formatCount(rejected, "invalid record")] : []),
    ...(counts.faulty.rollouts > 0 ? [formatCount(counts.faulty.rollouts, "invalid rollout")] : []),
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
      : ["rank", "nothing written: fix the errors first"],
  ];
}
