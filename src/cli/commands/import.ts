import { Option } from "commander";
import { escapeControls } from "../../base/text.js";
import type { RedactionPlan } from "../../rollouts/capture/redact/line-redactor.js";
import { findLogs } from "../../rollouts/pipeline/import/find-logs.js";
import type { Form } from "../../rollouts/pipeline/import/forms/form.js";
import { forms } from "../../rollouts/pipeline/import/forms/index.js";
import { type ImportOutcome, importFiles } from "../../rollouts/pipeline/import/run.js";
import type { CommandContext, OptionValues } from "../command.js";
import { describeBranches, describeLogs, toPlural } from "../import/describe.js";
import { explainMap } from "../import/explain-map.js";
import { createLogOptions, namedForm, readLogOptions, readSupplements } from "../import/options.js";
import { findingOptions, readSkips, rejectsOption, skipOptions } from "../options.js";
import { describeNothing } from "../output.js";
import { usageError } from "../program.js";
import {
  describeSecrets,
  readOptionalRedaction,
  redactionFiles,
  redactOptions,
  redactReport,
} from "../redaction.js";
import { readSeverities, ruleOptions } from "../rollout-options.js";
import { formatRows, type SummaryRow } from "../summary.js";
import { defineWriter } from "../writer.js";

const OUTPUT_FLAGS = "-o, --output <file>";

/** Imports training logs as captured branches into one file. Prints findings on stdout and the summary on stderr. */
export const command = defineWriter("import", {
  operandChoices: forms.map(({ id }) => id),
  options: [
    new Option(
      "-i, --input <file...>",
      "further files, folders or glob patterns of logs, plain or compressed; - is standard input",
    ),
    new Option(OUTPUT_FLAGS, "captured branches; required"),
    ...createLogOptions(),
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
    const { skipInvalid } = readSkips(options);
    // Some rows are always skipped, such as those without text.
    const rejects = options.optionalText("rejects");
    const redaction = await readOptionalRedaction(options, context);
    const output = readOutput(options, context);
    const files = await findLogs(names, context, named);
    const logs = readLogOptions(options, named);
    if (output === undefined) {
      return await explainMap(logs.choice, files, options.text("format"), context);
    }
    const { keeps, supplements } = await readSupplements(options, context);
    const outcome = await importFiles(
      {
        ...base,
        ...{ ...logs, files, supplements, output, rejects, skipInvalid, redaction },
        keeps: [...redactionFiles(options), ...keeps],
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

/** The form, if the first operand or an option names one, and the files. */
function readOperands(
  [first, ...others]: readonly string[],
  options: OptionValues,
  context: Pick<CommandContext, "program">,
): Operands {
  const operands = first === undefined ? [] : [first, ...others];
  const found = forms.find(({ id }) => id === first);
  const files = found === undefined ? operands : others;
  const names = [...files, ...(options.optionalTexts("input") ?? [])];
  if (names.length === 0) throw usageError("missing required argument 'file'", context, "import");
  return { form: found ?? namedForm(options), names };
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

/** Summarises an import. */
function describeImport(
  outcome: ImportOutcome,
  output: string,
  redaction: RedactionPlan | undefined,
): SummaryRow[] {
  const { findings, counts, unit, written } = outcome;
  return [
    ...describeLogs(outcome, findings),
    ...(redaction === undefined
      ? []
      : [["redact", describeSecrets(counts.secrets)] satisfies SummaryRow]),
    written
      ? ["import", `${escapeControls(output)}  ${describeBranches(outcome)}`]
      : ["import", describeNothing(findings, unit, toPlural(unit))],
  ];
}
