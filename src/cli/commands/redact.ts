import { Option } from "commander";
import { expandInputs, requireFiles } from "../../base/files/inputs.js";
import { resolveOutputs } from "../../base/files/outputs.js";
import { withStaging } from "../../base/files/staging.js";
import { describeFindings } from "../../base/findings/finding.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { redactFiles } from "../../rollouts/pipeline/redact/run.js";
import type { Command, OptionValues } from "../command.js";
import { findingOptions, readFindingLimits, readWorkers, workersOption } from "../options.js";
import { formatRows, printReport, reportRecovery, type SummaryRow } from "../output.js";
import { startProgress } from "../progress.js";
import { describeSecrets, readRedaction, redactionFiles, redactionOptions } from "../redaction.js";

/** Replaces secrets by placeholders. Prints findings on stdout and the summary on stderr. */
export const command: Command = {
  options: [
    new Option("-o, --output <file>", "the redacted lines"),
    new Option("--check", "write nothing; each secret is an error"),
    ...redactionOptions,
    workersOption,
    ...findingOptions,
  ],
  examples: [
    "redact rollouts.jsonl --output clean.jsonl",
    "redact logs/ --output clean.jsonl --redact-key ~/.rollout-wire-key",
    "redact --check 'rollouts/**/*.jsonl'",
  ],
  async run({ operands, options }, context) {
    const output = readOutput(options);
    const plan = await readRedaction(options, context);
    const files = await expandInputs(operands, context);
    await requireFiles(files, context);
    const named = output === undefined ? [] : [output];
    const paths = await resolveOutputs(named, [...files, ...redactionFiles(options)], context.cwd);
    const outcome = await withStaging(reportRecovery(context), async (staging) => {
      await staging.reserve(paths);
      const progress = await startProgress(files, context);
      const request = {
        files,
        plan,
        output: paths[0],
        limits: readFindingLimits(options),
        workers: readWorkers(options),
        staging,
        progress,
      };
      return await redactFiles(request, context).finally(() => progress.stop());
    });
    const { findings, secrets, written } = outcome;
    printReport(findings.toReport("redact"), options.text("format"), context);
    const read = [formatCount(findings.records, "record"), describeSecrets(secrets)];
    const rows: SummaryRow[] = [["read", `${read.join(", ")}; ${describeFindings(findings)}`]];
    if (output !== undefined) {
      const result = written ? escapeControls(output) : "nothing written: fix the errors first";
      rows.push(["redact", result]);
    }
    context.stderr.write(formatRows(rows));
    return findings.errors > 0 ? EXIT.findings : EXIT.ok;
  },
};

function readOutput(options: OptionValues): string | undefined {
  const output = options.optionalText("output");
  const check = options.flag("check");
  if (check && output !== undefined) {
    throw new UserError("--check writes nothing: omit --output", EXIT.usage);
  }
  if (!check && output === undefined) {
    throw new UserError("give --output FILE, or --check to write nothing", EXIT.usage);
  }
  return output;
}
