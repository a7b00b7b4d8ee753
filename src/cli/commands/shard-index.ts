import { Option } from "commander";
import { findInputs } from "../../base/files/inputs.js";
import { describeFindings } from "../../base/findings/finding.js";
import { escapeControls, formatBytes, formatCount } from "../../base/text.js";
import { EVAL_FIELDS } from "../../rollouts/pipeline/decontamination/eval-items.js";
import { findPartition } from "../../rollouts/pipeline/partition/manifest.js";
import { type IndexOutcome, writeIndex } from "../../rollouts/pipeline/write-index.js";
import type { TaskCounts } from "../../rollouts/wire/decontamination/boilerplate.js";
import { DEFAULT_N } from "../../rollouts/wire/decontamination/eval-index.js";
import { parsePositive } from "../option-parsers.js";
import { findingOptions, readSkips, readWorkers, skipOptions, workersOption } from "../options.js";
import { describeNothing } from "../output.js";
import { readSeverities, ruleOptions } from "../rollout-options.js";
import { formatRows, type SummaryRow } from "../summary.js";
import { defineWriter } from "../writer.js";

/** Writes an index of an evaluation set. Prints findings of counted rollouts on stdout and the summary on stderr. */
export const command = defineWriter("shard index", {
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
      "all rollouts to be exported, such as the folder that shard split wrote: files, folders or glob patterns of RolloutBranchRecord JSONL; their tasks tell what is template text",
    ),
    new Option("-o, --output <file>", "index to write").makeOptionMandatory(),
    ...skipOptions("invalid", "errored"),
    workersOption,
    ...ruleOptions,
    ...findingOptions,
  ],
  examples: [
    "shard index --eval-items eval.jsonl --input shards/ --output eval.index",
    "export --input shards/ --shard 1/64 --eval-index eval.index --exported-at-ms 1700000000000 --output-dir out/1",
  ],
  async perform({ options }, context, base) {
    const evalItems = options.text("evalItems");
    const inputs = options.optionalTexts("input") ?? [];
    const partition = await findPartition(inputs, context.cwd);
    const names = partition?.files ?? inputs;
    const output = options.text("output");
    const outcome = await writeIndex(
      {
        ...base,
        ...{ evalItems, output, partition: partition?.hash },
        files: await findInputs(names, context, { others: [evalItems] }),
        keeps: [evalItems, ...(partition?.siblings ?? [])],
        field: options.optionalText("evalField"),
        n: options.count("n"),
        severities: readSeverities(options),
        workers: readWorkers(options),
        ...readSkips(options),
      },
      context,
    );
    return { outcome, summary: formatRows(describeIndex(outcome, output)) };
  },
});

function describeIndex(
  { findings, counted, items, bytes, written }: IndexOutcome,
  output: string,
): SummaryRow[] {
  const size = `${formatCount(items, "evaluation item")}, ${formatBytes(bytes)}`;
  const index = written ? `${escapeControls(output)}  ${size}` : describeNothing(findings);
  if (counted === undefined) return [["index", index]];
  const checked = [
    formatCount(findings.records, "record"),
    formatCount(counted.rollouts, "rollout"),
    describeFindings(findings),
  ];
  return [
    ["validate", checked.join(", ")],
    ...(written ? [["tasks", describeCounts(counted.tasks)] as const] : []),
    ["index", index],
  ];
}

function describeCounts({ tasks, repeated }: TaskCounts): string {
  const shared = formatCount(repeated.size, "n-gram");
  return `${formatCount(tasks, "distinct task")}, ${shared} of the evaluation set in more than one`;
}
