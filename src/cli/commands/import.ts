import { Option } from "commander";
import { findInputs } from "../../base/files/inputs.js";
import { describeFindings } from "../../base/findings/finding.js";
import { escapeControls, formatCount, formatNumber } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import type { RedactionPlan } from "../../rollouts/capture/redact/line-redactor.js";
import { type ImportOutcome, importFiles } from "../../rollouts/pipeline/import/run.js";
import { importSources } from "../../rollouts/pipeline/import/sources/index.js";
import {
  parseObjective,
  parseScoreRange,
  type RewardMapping,
} from "../../rollouts/pipeline/import/sources/rewards.js";
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

/** The options of all sources. */
const sourceOptions = importSources.flatMap(({ options }) =>
  options.map(({ flags, description }) => new Option(flags, description)),
);

const OUTPUT_FLAGS = "-o, --output <file>";

/** Imports training logs as captured branches into one file. Prints findings on stdout and the summary on stderr. */
export const command = defineWriter("import", {
  operandChoices: importSources.map(({ id }) => id),
  options: [
    new Option(
      "-i, --input <file...>",
      "files, folders or glob patterns of logs, plain or compressed; - is standard input",
    ).makeOptionMandatory(),
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
    ...sourceOptions,
    ...skipOptions("invalid"),
    rejectsOption,
    ...redactOptions,
    ...ruleOptions,
    ...findingOptions,
  ],
  examples: [
    `import tinker --input 'iteration_*/train_rollout_summaries.jsonl' --output captured.jsonl --objective "reward>0"`,
    "import tinker --input log/ --output captured.jsonl --objective correct=1 --score-range -1,1 --skip invalid --rejects rejects.jsonl",
    "import atif --input jobs/ --output captured.jsonl --objective '/extra/reward>=1' --group-by /session_id --group-until __",
    "import messages --preset openhands --input trajectories.jsonl --output captured.jsonl",
    "import messages --map messages=/messages,tools=/tools,reward=/reward,group=/prompt_id --input rows.jsonl --explain-map",
  ],
  async perform({ operands, options }, context, base) {
    const source = importSources.find(({ id }) => id === operands[0]);
    if (source === undefined) throw new TypeError(`there is no source ${operands[0]}`);
    const own = new Set(source.options.map(({ flags }) => flags));
    const foreign = sourceOptions.filter(({ flags }) => !own.has(flags));
    const names = foreign.map((option) => option.attributeName());
    options.refuse(names, `does not apply to import ${source.id}`);
    const reader = source.createReader(
      {
        idPrefix: options.optionalText("idPrefix") ?? "",
        temperature: options.count("temperature"),
        rewards: readRewards(options),
      },
      options,
    );
    const { skipInvalid } = readSkips(options);
    // Some rows are always skipped, such as those without text.
    const rejects = options.optionalText("rejects");
    const redaction = await readOptionalRedaction(options, context);
    const output = readOutput(options, context);
    const files = await findInputs(options.texts("input"), context, { patterns: source.files });
    if (output === undefined) {
      return await explainMap(reader, files, options.text("format"), context);
    }
    const outcome = await importFiles(
      {
        ...base,
        ...{ files, reader, output, rejects, skipInvalid, redaction },
        keeps: redactionFiles(options),
        documents: source.documents,
        severities: readSeverities(options),
      },
      context,
    );
    return {
      outcome,
      summary: formatRows(describeImport(outcome, source.unit, output, redaction)),
      hide: (report) => redactReport(report, redaction),
    };
  },
});

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
  };
}

/** Summarises an import. `unit` is the name of a record of the log. */
function describeImport(
  { findings, counts, written }: ImportOutcome,
  unit: string,
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
  return [
    [
      "read",
      `${formatCount(findings.records, unit, toPlural(unit))}, ${describeFindings(findings)}`,
    ],
    ...row("skipped", skipped),
    ...row("changed", counts.tally.describeChanges()),
    ...row("not read", counts.tally.describeUnread().map(escapeControls)),
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
