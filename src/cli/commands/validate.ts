import { Option } from "commander";
import { entryTypes } from "#generated/index.js";
import { expandInputs, requireFiles } from "../../base/files/inputs.js";
import { describeFindings } from "../../base/findings/finding.js";
import { FindingList } from "../../base/findings/finding-list.js";
import { formatBytes, formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { checkFiles } from "../../rollouts/pipeline/validate.js";
import type { Command } from "../command.js";
import { findingOptions, readFindingLimits, readWorkers, workersOption } from "../options.js";
import { printReport } from "../output.js";
import { startProgress } from "../progress.js";
import {
  readSeverities,
  readShard,
  readWeights,
  ruleOptions,
  shardOption,
  weightsOption,
} from "../rollout-options.js";
import { type Configuration, readConfiguration } from "../validate/configuration.js";

/** Checks a stream of records. Prints findings on stdout and the summary on stderr. */
export const command: Command = {
  options: [
    new Option(
      "-x, --exclude <glob...>",
      "files to skip in folders and patterns, from the current folder",
    ),
    new Option(
      "-s, --schema <file[#/$defs/Name]>",
      "check the structure against this JSON Schema, and the rules about lines, instead",
    ).conflicts(["type", "weights"]),
    new Option("--schema-root <folder>", "where references of --schema may begin"),
    new Option(
      "-t, --type <name>",
      "record type of every line (default: inferred from its fields)",
    ).choices(entryTypes.map(({ name }) => name)),
    weightsOption,
    shardOption,
    workersOption,
    ...ruleOptions,
    ...findingOptions,
  ],
  examples: [
    "validate rollouts.jsonl",
    "validate 'rollouts/**/*.jsonl' more-rollouts/",
    "validate rollouts/ --exclude '**/rejects/**' '*.old.jsonl'",
    "validate --type DpoRecord --max-warnings 0 dpo.jsonl.gz",
    "validate --schema 'events.schema.json#/$defs/Event' events.jsonl",
    "validate --profile lenient --rule duplicate-key=off rollouts.jsonl",
    "validate --weights objective=1,judge=0 rollouts.jsonl",
    "validate --format json - < rollouts.jsonl",
  ],
  async run({ operands, options }, context) {
    const started = performance.now();
    const findings = new FindingList(readFindingLimits(options));
    const typeName = options.optionalText("type");
    const type = entryTypes.find(({ name }) => name === typeName)?.name;
    const schema = options.optionalText("schema");
    const schemaRoot = options.optionalText("schemaRoot");
    if (schemaRoot !== undefined && schema === undefined) {
      throw usageError("--schema-root requires --schema");
    }
    if (schema !== undefined && operands.length === 0) {
      throw usageError("--schema needs a file to check: missing argument 'file'");
    }
    const configuration = await readConfiguration(context.cwd);
    const given = options.optionalTexts("exclude");
    const exclude = [...(configuration?.exclude ?? []), ...(given ?? [])];
    const shard = await readShard(options, operands, context.cwd);
    const files =
      shard !== undefined
        ? [shard.file]
        : operands.length > 0
          ? await expandInputs(operands, context, { exclude })
          : await expandInputs(listFixtures(configuration, given), context);
    await requireFiles(files, context);
    if (operands.length === 0 && configuration !== undefined) {
      const fixtures = formatCount(configuration.fixtures.length, "fixture");
      context.stderr.write(`validating ${fixtures} of ${configuration.file}\n`);
    }
    const progress = await startProgress(files, context);
    const onStored = (_input: number, chunk: Uint8Array): void =>
      progress.read(chunk.length, findings.records);
    const severities = readSeverities(options, configuration?.severities);
    const weights = readWeights(options);
    const workers = readWorkers(options);
    const check = async (): Promise<{ readonly skippedRollouts: number }> => {
      if (schema === undefined) {
        const mayBeEmpty = shard !== undefined;
        const request = { files, type, severities, weights, workers, onStored, mayBeEmpty };
        return await checkFiles(request, findings, context);
      }
      // Lazy, because Ajv is large, and only this option compiles a schema.
      const { checkOwnSchema } = await import("../validate/own-schema.js");
      const request = { files, schema, schemaRoot, severities, onStored };
      await checkOwnSchema(request, findings, context);
      return { skippedRollouts: 0 };
    };
    const checked = await check().finally(() => progress.stop());
    printReport(findings.toReport("validate"), options.text("format"), context);
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    const size = formatBytes(findings.bytes);
    context.stderr.write(
      `${describeFindings(findings)} in ${formatCount(findings.records, "record")} (${size}, ${seconds} s)\n`,
    );
    if (checked.skippedRollouts > 0) {
      const skipped = formatCount(checked.skippedRollouts, "rollout");
      context.stderr.write(`rollout rules skipped for ${skipped}: fix the invalid lines first\n`);
    }
    return findings.errors > 0 ? EXIT.findings : EXIT.ok;
  },
};

/** The fixtures of a configuration, which are validated if no file is named. Throws UserError (exit 2) without any. */
function listFixtures(
  configuration: Configuration | undefined,
  exclude: readonly string[] | undefined,
): readonly string[] {
  const fixtures = configuration?.fixtures ?? [];
  if (exclude !== undefined) {
    throw usageError("--exclude needs a folder or pattern to leave files out of; name it first");
  }
  if (fixtures.length > 0) return fixtures;
  throw usageError(
    configuration === undefined
      ? "missing required argument 'file' (without it, the fixtures of a rollout-wire.config.json in this folder are validated)"
      : `missing required argument 'file' (${configuration.file} lists no fixtures)`,
  );
}

function usageError(problem: string): UserError {
  return new UserError(`${problem}  Help:  rollout-wire validate --help`, EXIT.usage);
}
