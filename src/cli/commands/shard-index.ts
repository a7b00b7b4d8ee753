import { Option } from "commander";
import { expandInputs, requireFiles } from "../../base/files/inputs.js";
import { resolveOutputs } from "../../base/files/outputs.js";
import { withStaging } from "../../base/files/staging.js";
import { describeFindings } from "../../base/findings/finding.js";
import { escapeControls, formatBytes, formatCount } from "../../base/text.js";
import { EXIT } from "../../base/user-error.js";
import { type CountedTasks, countTasks } from "../../rollouts/pipeline/count-tasks.js";
import { EVAL_FIELDS, readEvalFile } from "../../rollouts/pipeline/decontamination/eval-items.js";
import { type EvalSet, encodeEvalSet } from "../../rollouts/pipeline/decontamination/index-file.js";
import { findPartition } from "../../rollouts/pipeline/partition/manifest.js";
import type { TaskCounts } from "../../rollouts/wire/decontamination/boilerplate.js";
import {
  DEFAULT_N,
  type IndexedItems,
  indexItems,
  openEvalIndex,
} from "../../rollouts/wire/decontamination/eval-index.js";
import type { Command, CommandContext, OptionValues } from "../command.js";
import { parsePositive } from "../option-parsers.js";
import {
  findingOptions,
  readFindingLimits,
  readSkips,
  readWorkers,
  skipOptions,
  workersOption,
} from "../options.js";
import { formatRows, printReport, reportRecovery, type SummaryRow } from "../output.js";
import { startProgress } from "../progress.js";
import { readSeverities, ruleOptions } from "../rollout-options.js";

/** Writes an index of an evaluation set. Prints findings of counted rollouts on stdout and the summary on stderr. */
export const command: Command = {
  options: [
    new Option(
      "-e, --eval-items <file>",
      "evaluation set; - is standard input",
    ).makeOptionMandatory(),
    new Option(
      "--eval-field <name>",
      `field with an evaluation item's text (default: the first of ${EVAL_FIELDS.join(", ")})`,
    ),
    new Option("--n <n>", "words per n-gram").argParser(parsePositive).default(DEFAULT_N),
    new Option(
      "-i, --input <file...>",
      "all rollouts to be exported, such as the folder of a partition: files, folders or glob patterns of RolloutBranchRecord JSONL; their tasks tell what is template text",
    ),
    new Option("-o, --output <file>", "index to write").makeOptionMandatory(),
    ...skipOptions("invalid"),
    workersOption,
    ...ruleOptions,
    ...findingOptions,
  ],
  examples: [
    "shard index --eval-items eval.jsonl --input shards/ --output eval.index",
    "export --input shards/ --shard 1/64 --eval-index eval.index --exported-at-ms 1700000000000 --output-dir out/1",
  ],
  async run({ options }, context) {
    const evalItems = options.text("evalItems");
    const inputs = options.optionalTexts("input");
    const partition = inputs && (await findPartition(inputs, context.cwd));
    const files = partition?.files ?? (inputs ? await expandInputs(inputs, context) : []);
    await requireFiles([...files, evalItems], context);
    const output = options.text("output");
    const kept = [...files, evalItems, ...(partition?.siblings ?? [])];
    const paths = await resolveOutputs([output], kept, context.cwd);
    return await withStaging(reportRecovery(context), async (staging) => {
      await staging.reserve(paths);
      const field = options.optionalText("evalField");
      const { items, file } = await readEvalFile(evalItems, { field }, context);
      const indexed = indexItems(items, options.count("n"));
      const counted = inputs && (await count(files, indexed, options, context));
      if (counted && counted.findings.errors > 0) {
        context.stderr.write(formatRows(describeTasks(counted)));
        context.stderr.write(formatRows([["index", "nothing written: fix the errors first"]]));
        return EXIT.findings;
      }
      const set: EvalSet = {
        indexed: { ...indexed, counts: counted?.counts },
        file,
        partition: partition?.hash,
      };
      const staged = await staging.open(paths[0] ?? "");
      let bytes = 0;
      for (const part of encodeEvalSet(set)) {
        await staged.write(part);
        bytes += part.length;
      }
      await staging.commit();
      const { itemCount } = indexed.corpus;
      context.stderr.write(
        formatRows([
          ...(counted ? describeTasks(counted) : []),
          [
            "index",
            `${escapeControls(output)}  ${formatCount(itemCount, "evaluation item")}, ${formatBytes(bytes)}`,
          ],
        ]),
      );
      return EXIT.ok;
    });
  },
};

async function count(
  files: readonly string[],
  indexed: IndexedItems,
  options: OptionValues,
  context: CommandContext,
): Promise<CountedTasks> {
  const counted = await countTasks(
    {
      files,
      index: openEvalIndex(indexed),
      limits: readFindingLimits(options),
      severities: readSeverities(options),
      workers: readWorkers(options),
      skipInvalid: readSkips(options).skipInvalid,
      progress: await startProgress(files, context),
    },
    context,
  );
  printReport(counted.findings.toReport("shard index"), options.text("format"), context);
  return counted;
}

function describeTasks({ findings, rollouts, counts }: CountedTasks): SummaryRow[] {
  const checked = [
    formatCount(findings.records, "record"),
    formatCount(rollouts, "rollout"),
    describeFindings(findings),
  ];
  return [
    ["validate", checked.join(", ")],
    ...(findings.errors > 0 ? [] : [["tasks", describeCounts(counts)] as const]),
  ];
}

function describeCounts({ tasks, repeated }: TaskCounts): string {
  const shared = formatCount(repeated.size, "n-gram");
  return `${formatCount(tasks, "distinct task")}, ${shared} of the evaluation set in more than one`;
}
