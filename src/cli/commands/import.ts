import { Option } from "commander";
import { describeFindings } from "../../base/findings/finding.js";
import { escapeControls, formatCount, formatNumber } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import type { RedactionPlan } from "../../rollouts/capture/redact/line-redactor.js";
import type { FormChoice } from "../../rollouts/pipeline/import/file-forms.js";
import { findLogs } from "../../rollouts/pipeline/import/find-logs.js";
import type { Form } from "../../rollouts/pipeline/import/forms/form.js";
import { forms } from "../../rollouts/pipeline/import/forms/index.js";
import { rows } from "../../rollouts/pipeline/import/forms/rows.js";
import { type ImportOutcome, importFiles } from "../../rollouts/pipeline/import/run.js";
import {
  parseObjective,
  parseScoreRange,
  type RewardMapping,
} from "../../rollouts/pipeline/import/sources/rewards.js";
import { readRewardFile, readToolsFile } from "../../rollouts/pipeline/import/supplements.js";
import type { CommandContext, OptionValues } from "../command.js";
import { explainMap } from "../import/explain-map.js";
import { parseNumber } from "../option-parsers.js";
import { findingOptions, readSkips, rejectsOption, skipOptions } from "../options.js";
import { describeNothing, formatRows, type SummaryRow } from "../output.js";
import { usageError } from "../program.js";
import {
  describeSecrets,
  readOptionalRedaction,
  redactionFiles,
  redactOptions,
  redactReport,
} from "../redaction.js";
import { readSeverities, ruleOptions } from "../rollout-options.js";
import { defineWriter } from "../writer.js";

/** The options of forms, each once. */
const formOptions = new Map(
  forms.flatMap(({ options }) =>
    options.map(({ flags, description }) => [flags, new Option(flags, description)] as const),
  ),
);

const OUTPUT_FLAGS = "-o, --output <file>";

/** Imports training logs as captured branches into one file. Prints findings on stdout and the summary on stderr. */
export const command = defineWriter("import", {
  options: [
    new Option(
      "-i, --input <file...>",
      "further files, folders or glob patterns of logs, plain or compressed; - is standard input",
    ),
    new Option(OUTPUT_FLAGS, "captured branches; required"),
    new Option(
      "--objective <condition>",
      'when a branch passes: a metric, a comparison (> >= < <= =) and a number, such as "reward>0"; without it, branches have no verdict',
    ),
    new Option(
      "--score-range <low,high>",
      "map rewards in this range to the judge's score, 0 to 10; rewards outside it are errors",
    ),
    new Option("--score <metric>", "the metric that --score-range maps, if not the reward"),
    new Option("--temperature <n>", "sampling temperature (logs do not contain it)")
      .argParser(parseNumber)
      .default(1),
    new Option("--id-prefix <text>", "prefix of every rollout_id, to tell two runs apart"),
    new Option("--pass-value <word>", "the word that passes, where scores are words: C of Inspect"),
    new Option("--tools <file>", "definitions of tools for records that have none, as a JSON list"),
    new Option(
      "--reward-file <file>",
      'rewards by the session or id of a record: lines with {"id", "reward"}, or one JSON object',
    ),
    new Option(
      "--assume-passed",
      "branches without a verdict pass; for demonstrations that were chosen before",
    ),
    new Option(
      "--keep-errored",
      "keep the verdicts of runs that an error of their environment ended, or a limit",
    ),
    ...formOptions.values(),
    ...skipOptions("invalid"),
    rejectsOption,
    ...redactOptions,
    ...ruleOptions,
    ...findingOptions,
  ],
  examples: [
    "import runs.jsonl --output captured.jsonl",
    `import 'iteration_*/train_rollout_summaries.jsonl' --output captured.jsonl --objective "reward>0"`,
    "import tinker log/ --output captured.jsonl --objective correct=1 --score-range -1,1 --skip invalid --rejects rejects.jsonl",
    "import jobs/ --output captured.jsonl --objective '/extra/reward>=1' --group-by /session_id --group-until __",
    "import rows.jsonl --map messages=/messages,tools=/tools,reward=/reward,group=/prompt_id --explain-map",
  ],
  async perform({ operands, options }, context, base) {
    const { form: named, names } = readOperands(operands, options, context);
    const choice = { named, createReader: createReaderFor(options, named !== undefined) };
    const { skipInvalid } = readSkips(options);
    // Some rows are always skipped, such as those without text.
    const rejects = options.optionalText("rejects");
    const redaction = await readOptionalRedaction(options, context);
    const output = readOutput(options, context);
    const rewardFile = options.optionalText("rewardFile");
    const tools = options.optionalText("tools");
    const rewards = readRewards(options);
    const files = await findLogs(names, context, named);
    if (output === undefined) {
      return await explainMap(choice, files, options.text("format"), context);
    }
    const supplements = {
      tools: tools === undefined ? undefined : await readToolsFile(tools, context),
      rewards: rewardFile === undefined ? undefined : await readRewardFile(rewardFile, context),
      mapping: rewards,
      assumePassed: options.flag("assumePassed"),
      keepErrored: options.flag("keepErrored"),
    };
    const outcome = await importFiles(
      {
        ...base,
        ...{ files, choice, supplements, rewardFile, output, rejects, skipInvalid, redaction },
        keeps: [
          ...redactionFiles(options),
          ...[tools, rewardFile].filter((each) => each !== undefined),
        ],
        severities: readSeverities(options),
      },
      context,
    );
    return {
      outcome,
      summary: formatRows(describeImport(outcome, output, redaction)),
      hide: (report) => redactReport(report, redaction),
    };
  },
});

interface Operands {
  /** Undefined: each file is recognised. */
  readonly form: Form | undefined;
  readonly names: readonly string[];
}

/** The form, if the first operand names one, and the files. `--preset` and a map with a conversation name rows. */
function readOperands(
  [first, ...others]: readonly string[],
  options: OptionValues,
  context: Pick<CommandContext, "program">,
): Operands {
  const operands = first === undefined ? [] : [first, ...others];
  const found = forms.find(({ id }) => id === first);
  const isRows =
    options.isGiven("preset") || /(?:^|,)\s*messages=/.test(options.optionalText("map") ?? "");
  const files = found === undefined ? operands : others;
  const names = [...files, ...(options.optionalTexts("input") ?? [])];
  if (names.length === 0) throw usageError("missing required argument 'file'", context, "import");
  return { form: found ?? (isRows ? rows : undefined), names };
}

/** Creates the readers of forms with the options of the command line, of which each must apply. */
function createReaderFor(options: OptionValues, isNamed: boolean): FormChoice["createReader"] {
  return (form, sample, file) => {
    const own = new Set(form.options.map(({ flags }) => flags));
    const foreign = [...formOptions].filter(([flags]) => !own.has(flags));
    const names = foreign.map(([, option]) => option.attributeName());
    const which = isNamed ? "" : `, which ${file} is recognised as`;
    options.refuse(names, `does not apply to ${form.id}${which}`);
    const isElsewhere = options.isGiven("rewardFile");
    const { passValue, ...rewards } = readRewards(options);
    const none = { objective: undefined, score: undefined };
    const settings = {
      idPrefix: options.optionalText("idPrefix") ?? "",
      temperature: options.count("temperature"),
      rewards: { ...(isElsewhere ? none : rewards), passValue },
      mayLackReward: isElsewhere || options.flag("assumePassed"),
    };
    return form.createReader(settings, options, sample);
  };
}

/** The output, which is required; undefined if the map is explained instead. */
function readOutput(
  options: OptionValues,
  context: Pick<CommandContext, "program">,
): string | undefined {
  if (options.flag("explainMap")) return undefined;
  const output = options.optionalText("output");
  if (output !== undefined) return output;
  throw usageError(`required option '${OUTPUT_FLAGS}' not specified`, context, "import");
}

function readRewards(options: OptionValues): RewardMapping {
  const objective = options.optionalText("objective");
  const range = options.optionalText("scoreRange");
  const metric = options.optionalText("score");
  if (metric !== undefined && range === undefined) {
    throw new UserError("--score requires --score-range", EXIT.usage);
  }
  return {
    objective: objective === undefined ? undefined : parseObjective(objective),
    score: range === undefined ? undefined : { metric, range: parseScoreRange(range) },
    passValue: options.optionalText("passValue"),
  };
}

/** Summarises an import. */
function describeImport(
  { findings, counts, unit, recognised, notes, written }: ImportOutcome,
  output: string,
  redaction: RedactionPlan | undefined,
): SummaryRow[] {
  const skipped = [
    ...[...counts.leftOut].map(([reason, count]) => `${formatNumber(count)} ${reason}`),
    ...listed(counts.invalid, `invalid ${unit}`, `invalid ${toPlural(unit)}`),
    ...listed(counts.invalidRollouts, "invalid rollout"),
    ...listed(counts.refusedFiles, "refused file"),
    ...listed(counts.skippedSteps, "step of copied context", "steps of copied context"),
  ];
  const imported = [formatCount(counts.branches, "branch", "branches")];
  imported.push(formatCount(counts.rollouts, "rollout"));
  const assumed = listed(counts.assumed, "branch without a verdict", "branches without a verdict");
  return [
    ...[...recognised].map(
      ([{ id, purpose }, count]): SummaryRow => [
        "recognised",
        `${id} (${purpose}): ${formatCount(count, "file")}`,
      ],
    ),
    [
      "read",
      `${formatCount(findings.records, unit, toPlural(unit))}, ${describeFindings(findings)}`,
    ],
    ...row("skipped", skipped),
    ...row("changed", counts.tally.describeChanges()),
    ...row("not read", counts.tally.describeUnread().map(escapeControls)),
    ...notes.map(([label, text]): SummaryRow => [label, escapeControls(text)]),
    ...row("assumed to pass", assumed),
    ...row("redact", redaction === undefined ? [] : [describeSecrets(counts.secrets)]),
    written
      ? ["import", `${escapeControls(output)}  ${imported.join(", ")}`]
      : ["import", describeNothing(findings, unit, toPlural(unit))],
  ];
}

function listed(count: number, noun: string, plural?: string): string[] {
  return count > 0 ? [formatCount(count, noun, plural)] : [];
}

function row(label: string, parts: readonly string[]): SummaryRow[] {
  return parts.length > 0 ? [[label, parts.join(", ")]] : [];
}

function toPlural(unit: string): string {
  return unit.endsWith("y") ? `${unit.slice(0, -1)}ies` : `${unit}s`;
}
