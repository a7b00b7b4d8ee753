import { InvalidArgumentError, Option } from "commander";
import { findInputs } from "../../base/files/inputs.js";
import { describeFindings } from "../../base/findings/finding.js";
import { packageRoot } from "../../base/package.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { type OutputChoice, requireOneOutput } from "../../contract/migrate/outputs.js";
import type { MigrateOutcome } from "../../contract/migrate/run.js";
import { type MajorVersion, parseMajor } from "../../contract/migrate/step.js";
import type { OptionValues } from "../command.js";
import { findingOptions, readRejects, rejectsOption, skipOptions } from "../options.js";
import { describeNothing } from "../output.js";
import { formatRows, type SummaryRow } from "../summary.js";
import { defineWriter } from "../writer.js";

/** Upgrades records of older versions. Prints findings on stdout and the summary on stderr. */
export const command = defineWriter("migrate", {
  options: [
    new Option("--to <version>", "the version to upgrade to, such as rollout-wire/v2")
      .argParser(parseVersionId)
      .makeOptionMandatory(),
    new Option(
      "--from <version>",
      "version of the records that name none (default: the newest that accepts the record)",
    ).argParser(parseVersionId),
    new Option("-o, --output <file>", "all records in one file"),
    new Option("--output-dir <folder>", "a file for each input"),
    new Option("--in-place", "rewrite the inputs; a file without older records stays untouched"),
    ...skipOptions("invalid"),
    rejectsOption,
    ...findingOptions,
  ],
  examples: [
    "migrate --to rollout-wire/v2 rollouts.jsonl --output upgraded.jsonl",
    "migrate --to rollout-wire/v2 runs/ --output-dir upgraded/",
    "migrate --to rollout-wire/v2 'runs/**/*.jsonl' --in-place",
    "migrate --to rollout-wire/v2 - --output upgraded.jsonl --skip invalid --rejects rejects.jsonl",
  ],
  async perform({ operands, options }, context, base) {
    // Lazy, because Ajv is large and most other commands do not need it.
    const [{ migrateFiles }, { Upgrader }] = await Promise.all([
      import("../../contract/migrate/run.js"),
      import("../../contract/migrate/upgrader.js"),
    ]);
    const outputs: OutputChoice = {
      output: options.optionalText("output"),
      folder: options.optionalText("outputDir"),
      inPlace: options.flag("inPlace"),
    };
    requireOneOutput(outputs);
    const rejects = readRejects(options);
    const target = requireMajor(options.text("to"));
    const unnamed = readUnnamed(options, target);
    const upgrader = await Upgrader.open({ root: packageRoot(), target, unnamed });
    const files = await findInputs(operands, context);
    const request = { ...base, ...rejects, files, upgrader, outputs };
    const outcome = await migrateFiles(request, context);
    const name = outputs.output ?? outputs.folder ?? "";
    return { outcome, summary: formatRows(describeOutcome(outcome, options.text("to"), name)) };
  },
});

function parseVersionId(text: string): string {
  if (parseMajor(text) !== undefined) return text;
  throw new InvalidArgumentError("Write a schema and its major version, such as rollout-wire/v2.");
}

/** A version that `parseVersionId` accepted. */
function requireMajor(text: string): MajorVersion {
  const version = parseMajor(text);
  if (version === undefined) throw new TypeError(`${text} is no version`);
  return version;
}

function readUnnamed(options: OptionValues, { name }: MajorVersion): number | undefined {
  const text = options.optionalText("from");
  const from = text === undefined ? undefined : requireMajor(text);
  if (from === undefined || from.name === name) return from?.major;
  throw new UserError(`--from ${from.name}: --to is about ${name}`, EXIT.usage);
}

function describeOutcome(
  { findings, upgraded, current, leftOut, files, written }: MigrateOutcome,
  to: string,
  name: string,
): SummaryRow[] {
  const older = [...upgraded].sort(([one], [other]) => one - other);
  const counts = [
    ...older.map(([from, count]) => `${formatCount(count, "record")} of v${from} upgraded`),
    ...(current > 0 ? [`${formatCount(current, "record")} of ${to} unchanged`] : []),
    ...(leftOut > 0 ? [`${formatCount(leftOut, "record")} skipped`] : []),
  ];
  const place = name === "" ? formatCount(files, "file") : escapeControls(name);
  return [
    ["read", `${formatCount(findings.records, "record")}, ${describeFindings(findings)}`],
    written
      ? ["migrate", [place, counts.join(", ")].join("  ")]
      : ["migrate", describeNothing(findings)],
  ];
}
