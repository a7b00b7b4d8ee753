import { Option } from "commander";
import { findInputs } from "../../base/files/inputs.js";
import { describeFindings } from "../../base/findings/finding.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { redactFiles } from "../../rollouts/pipeline/redact/run.js";
import type { OptionValues } from "../command.js";
import { findingOptions, readWorkers, workersOption } from "../options.js";
import { describeSecrets, readRedaction, redactionFiles, redactionOptions } from "../redaction.js";
import { formatRows, type SummaryRow } from "../summary.js";
import { defineWriter } from "../writer.js";

/** Replaces secrets by placeholders. Prints findings on stdout and the summary on stderr. */
export const command = defineWriter("redact", {
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
  async perform({ operands, options }, context, base) {
    const output = readOutput(options);
    const outcome = await redactFiles(
      {
        ...base,
        plan: await readRedaction(options, context),
        files: await findInputs(operands, context),
        keeps: redactionFiles(options),
        output,
        workers: readWorkers(options),
      },
      context,
    );
    const { findings, secrets, written } = outcome;
    const read = [formatCount(findings.records, "record"), describeSecrets(secrets)];
    const rows: SummaryRow[] = [["read", `${read.join(", ")}; ${describeFindings(findings)}`]];
    if (output !== undefined) {
      const result = written ? escapeControls(output) : "nothing written: fix the errors first";
      rows.push(["redact", result]);
    }
    return { outcome, summary: formatRows(rows) };
  },
});

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
