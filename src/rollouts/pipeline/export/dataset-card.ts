import type { Decontamination, ExportReport, ReportedRange } from "#generated/index.js";
import { escapeControls, formatCount, formatShare } from "../../../base/text.js";
import { toDatasetInfo } from "../../wire/export/features.js";
import { type TargetId, targets } from "../../wire/export/targets/index.js";
import type { OutputKind } from "../../wire/export/targets/target.js";
import { groupOutputs } from "./storage.js";

/** Describes the records of each kind and how they are selected. */
const KINDS: Readonly<Record<OutputKind, string>> = {
  dpo: "preference pairs: a better and a worse branch of one rollout, by rank",
  ppo: "rewards: every branch whose reward is known, including crashed ones",
  sft: "demonstrations: the best branch of a rollout, if every objective verifier passed and it answered",
};

/**
 * Builds README.md of a dataset folder, for the Hugging Face hub and `datasets.load_dataset`. The front matter
 * maps files to configurations and columns; the text tells people how the records were created.
 */
export function toDatasetCard(report: ExportReport, target: TargetId): string {
  return `---\n${toFrontMatter(report, target)}---\n\n${toText(report)}`;
}

/** Written as JSON, which is valid YAML and needs no quoting rules. */
function toFrontMatter({ outputs }: ExportReport, target: TargetId): string {
  const groups = groupOutputs(outputs);
  const configs = groups.map(({ kind, pattern }, index) => ({
    config_name: kind,
    ...(index === 0 && { default: true }),
    data_files: [{ split: "train", path: pattern }],
  }));
  const infos = groups.map(({ kind }) => ({
    config_name: kind,
    features: toDatasetInfo(targets[target].features[kind] ?? {}),
  }));
  return `${toYamlList("configs", configs)}${toYamlList("dataset_info", infos)}`;
}

function toYamlList(key: string, items: readonly object[]): string {
  if (items.length === 0) return `${key}: []\n`;
  return `${key}:\n${items.map((item) => `  - ${JSON.stringify(item)}\n`).join("")}`;
}

function toText(report: ExportReport): string {
  const { outputs, inputs, rollouts, settings, sampling } = report;
  return [
    "# Training data from agent rollouts",
    `Created by rollout-wire ${report.tool_version}, target \`${report.target}\`. Every branch of a rollout is an independent run of an agent on the same task. \`manifest.json\` accounts for every line, branch and rollout, with the hashes of all files of records.`,
    "## Contents",
    list(
      groupOutputs(outputs).map(
        ({ kind, pattern, records }) =>
          `\`${kind}\` (\`${pattern}\`): ${formatCount(records, "record")}; ${KINDS[kind]}`,
      ),
    ),
    "## Sources",
    list(
      inputs.map(
        ({ file, bytes, sha256 }) =>
          `\`${escapeControls(file).replaceAll("`", "'")}\`, ${formatCount(bytes, "byte")}, ${sha256}`,
      ),
    ),
    "## Sampling",
    list([
      `${formatCount(rollouts.exported, "rollout")}, ${formatCount(rollouts.exported_branches, "branch", "branches")}: ${describeRange(sampling?.branches)} per rollout`,
      `sampling temperature: ${describeRange(sampling?.temperature)}`,
      ...reasons("rollouts without a pair", report.not_paired),
      ...reasons("rollouts without a demonstration", report.not_demonstrated),
      ...leftOut(report),
    ]),
    "## Reward",
    `Total score = objective * ${settings.objective_weight} + judge / 10 * ${settings.judge_weight}. The objective is 1 when every verifier passed, else 0; the judge scores from 0 to 10, and counts as 5 where none ran. Ranks follow the total score. \`reward\` is ${rewardOf(report)}.`,
    "## Decontamination",
    describeDecontamination(report.decontamination, rollouts.contaminated),
  ]
    .join("\n\n")
    .concat("\n");
}

/** Layer 2 keeps the raw score. All other formats normalise it. */
function rewardOf({ target, settings }: ExportReport): string {
  if (target === "wire") return "the raw total score";
  const most = settings.objective_weight + settings.judge_weight;
  return `the total score / ${most}, clamped to 0..1`;
}

function describeDecontamination(decontamination: Decontamination, contaminated: number): string {
  const { performed, n, evaluation_items: items = 0, min_overlap: minimum = 0 } = decontamination;
  if (!performed) {
    return "None: there was no evaluation set. The records may contain evaluation items.";
  }
  const most = minimum > 0 ? `, counting only overlap ratios of ${minimum} or more` : "";
  return [
    `Nothing that a model was given (context, definitions of tools, task, user turns) shares ${n} consecutive words (NFKC, lower case) with any of ${formatCount(items, "evaluation item")}${most}.`,
    `${formatCount(contaminated, "rollout")} that did ${contaminated === 1 ? "was" : "were"} skipped.`,
    ...describeBoilerplate(decontamination),
  ].join(" ");
}

function describeBoilerplate(decontamination: Decontamination): string[] {
  const { n, distinct_tasks: tasks = 0, boilerplate_share: share = 0 } = decontamination;
  const { boilerplate_ngrams: ngrams = 0, only_boilerplate: only = 0 } = decontamination;
  if (ngrams === 0) return [];
  return [
    `Template text does not count: ${formatCount(ngrams, `run of ${n} words`, `runs of ${n} words`)} that evaluation items contain occurred in more than ${formatShare(share)} of ${formatCount(tasks, "distinct task")}.`,
    `${formatCount(only, "rollout shares", "rollouts share")} only template text with the evaluation set.`,
  ];
}

function leftOut({ lines, rollouts, unreadable_tool_events: events }: ExportReport): string[] {
  const { errored_branches: errored = 0 } = rollouts;
  return [
    ...(lines.invalid > 0 ? [`invalid lines skipped: ${lines.invalid}`] : []),
    ...(rollouts.invalid > 0 ? [`invalid rollouts skipped: ${rollouts.invalid}`] : []),
    ...(errored > 0 ? [`branches of failed runs skipped: ${errored}`] : []),
    ...(events > 0 ? [`tool events that are neither a call nor a result, skipped: ${events}`] : []),
  ];
}

function reasons(label: string, counts: Readonly<Record<string, number>>): string[] {
  const found = Object.entries(counts).map(([reason, count]) => `${count} ${reason}`);
  return found.length > 0 ? [`${label}: ${found.join(", ")}`] : [];
}

function describeRange(range: ReportedRange | undefined): string {
  if (range === undefined) return "none";
  const { least, most } = range;
  return least === most ? String(least) : `${least} to ${most}`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n") || "- none";
}
