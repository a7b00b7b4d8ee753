import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Option } from "commander";
import { readText } from "../base/files/inputs.js";
import { toReadError } from "../base/files/source.js";
import type { Report } from "../base/findings/report.js";
import { formatCount, formatNumber } from "../base/text.js";
import { EXIT, UserError } from "../base/user-error.js";
import { MIN_VALUE_LENGTH } from "../rollouts/capture/redact/known-values.js";
import {
  createMessageRedactor,
  type RedactionPlan,
  type SecretCounts,
} from "../rollouts/capture/redact/line-redactor.js";
import type { CommandContext, OptionValues } from "./command.js";

/** Options of every command that redacts. */
export const redactionOptions: readonly Option[] = [
  new Option(
    "--redact-key <file>",
    "a secret of at least 16 bytes: the same key gives the same placeholders in every run (default: random)",
  ),
  new Option(
    "--redact-values <file>",
    "known secrets to replace wherever they occur, one per line",
  ),
];

/** Options of every command for which redaction is a choice. */
export const redactOptions: readonly Option[] = [
  new Option("--redact", "replace secrets by placeholders in everything that is written"),
  ...redactionOptions,
];

/** Reads `redactOptions`: undefined without `--redact`. Throws as `readRedaction` does. */
export async function readOptionalRedaction(
  options: OptionValues,
  context: CommandContext,
): Promise<RedactionPlan | undefined> {
  if (options.flag("redact")) return await readRedaction(options, context);
  options.refuse(["redactKey", "redactValues"], "requires --redact");
  return undefined;
}

/** The files that `redactionOptions` name. An output must not replace them. */
export function redactionFiles(options: OptionValues): string[] {
  const files = [options.optionalText("redactKey"), options.optionalText("redactValues")];
  return files.filter((file) => file !== undefined);
}

/** Shorter keys can be guessed, and then secrets can be found by hashing guesses. */
const MIN_KEY_BYTES = 16;
const RANDOM_KEY_BYTES = 32;

/**
 * Reads `redactionOptions`. Throws UserError (exit 2) for a key or a value that is too short, and (exit 3) for a
 * file that cannot be read.
 */
export async function readRedaction(
  options: OptionValues,
  context: CommandContext,
): Promise<RedactionPlan> {
  const keyFile = options.optionalText("redactKey");
  const valuesFile = options.optionalText("redactValues");
  return {
    key: keyFile === undefined ? randomBytes(RANDOM_KEY_BYTES) : await readKey(keyFile, context),
    values: valuesFile === undefined ? [] : await readValues(valuesFile, context),
  };
}

async function readKey(file: string, { cwd }: CommandContext): Promise<Uint8Array> {
  const key = await readFile(resolve(cwd, file)).catch((error) => {
    throw toReadError(file, error);
  });
  if (key.length >= MIN_KEY_BYTES) return key;
  throw new UserError(
    `--redact-key ${file}: ${formatCount(key.length, "byte")}, at least ${MIN_KEY_BYTES} are needed, such as those of: openssl rand -hex 32`,
    EXIT.usage,
  );
}

async function readValues(file: string, context: CommandContext): Promise<string[]> {
  const lines = (await readText(file, context)).split(/\r?\n/);
  const values: string[] = [];
  for (const [index, value] of lines.entries()) {
    if (value === "") continue;
    if (value.length < MIN_VALUE_LENGTH) {
      throw new UserError(
        `--redact-values ${file}:${index + 1}: ${formatCount(value.length, "character")}: values of fewer than ${MIN_VALUE_LENGTH} occur in too many words`,
        EXIT.usage,
      );
    }
    values.push(value);
  }
  return values;
}

/** `3 secrets: 2 email, 1 api-key`. */
export function describeSecrets(secrets: SecretCounts): string {
  const total = [...secrets.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...secrets].map(([kind, count]) => `${formatNumber(count)} ${kind}`);
  return [formatCount(total, "secret"), ...(total > 0 ? [kinds.join(", ")] : [])].join(": ");
}

/** A report that quotes no secrets of the input. Without a plan, the report itself. */
export function redactReport(report: Report, plan: RedactionPlan | undefined): Report {
  if (plan === undefined) return report;
  const redact = createMessageRedactor(plan);
  const findings = report.findings.map((finding) => ({
    ...finding,
    pointer: redact(finding.pointer),
    message: redact(finding.message),
  }));
  return { ...report, findings };
}
