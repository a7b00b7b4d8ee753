import { Option } from "commander";
import { entryTypes } from "#generated/index.js";
import { findInputs } from "../../base/files/inputs.js";
import { describeFindings } from "../../base/findings/finding.js";
import type { LinesOutcome } from "../../base/run/run-lines.js";
import { formatBytes, formatCount } from "../../base/text.js";
import { checkFiles } from "../../rollouts/pipeline/validate.js";
import type { CommandContext } from "../command.js";
import { refuseLog } from "../log-files.js";
import {
  fetchOption,
  findingOptions,
  readWorkers,
  schemasOption,
  workersOption,
} from "../options.js";
import { usageError } from "../program.js";
import {
  readInputs,
  readSeverities,
  readWeights,
  ruleOptions,
  shardOption,
  weightsOption,
} from "../rollout-options.js";
import { type Configuration, listAccepted, readConfiguration } from "../validate/configuration.js";
import { describeRows, readTrainer, trainerOptions } from "../validate/trainers.js";
import { defineWriter } from "../writer.js";

/** Checks a stream of records. Prints findings on stdout and the summary on stderr. */
export const command = defineWriter("validate", {
  options: [
    new Option(
      "-x, --exclude <glob...>",
      "files to skip in folders and patterns, from the current folder",
    ),
    new Option(
      "-s, --schema <file[#/$defs/Name]>",
      "check the structure against this JSON Schema (format as its configuration says), and the rules about lines, instead",
    ).conflicts(["type", "weights"]),
    schemasOption,
    fetchOption,
    new Option(
      "-t, --type <name>",
      "record type of every line (default: inferred from its fields)",
    ).choices(entryTypes.map(({ name }) => name)),
    ...trainerOptions,
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
    "validate --target trl pairs.jsonl",
    "validate --weights objective=1,judge=0 rollouts.jsonl",
    "validate --format json - < rollouts.jsonl",
  ],
  async perform({ operands, options }, context, base) {
    const started = performance.now();
    const typeName = options.optionalText("type");
    const type = entryTypes.find(({ name }) => name === typeName)?.name;
    const schema = options.optionalText("schema");
    const schemas = options.optionalTexts("schemas");
    if (schemas !== undefined && schema === undefined) {
      throw usageError("--schemas requires --schema", context, "validate");
    }
    const needy = ["schema", "target"].find((name) => options.isGiven(name));
    if (needy !== undefined && operands.length === 0) {
      const problem = `--${needy} needs a file to check: missing argument 'file'`;
      throw usageError(problem, context, "validate");
    }
    const configuration = await readConfiguration(context.cwd);
    const given = options.optionalTexts("exclude");
    const exclude = [...(configuration?.exclude ?? []), ...(given ?? [])];
    const isNamed = operands.length > 0 || options.isGiven("shard");
    const inputs = isNamed
      ? await readInputs(options, operands, context, { exclude })
      : { files: await findInputs(listFixtures(configuration, given, context), context) };
    if (operands.length === 0 && configuration !== undefined) {
      const fixtures = formatCount(configuration.fixtures.length, "fixture");
      context.stderr.write(`validating ${fixtures} of ${configuration.file}\n`);
    }
    const severities = readSeverities(options, configuration?.severities);
    const accepted = configuration && listAccepted(configuration, inputs.files, context.cwd);
    const request = { ...base, ...inputs, severities, limits: { ...base.limits, accepted } };
    const trainer = await readTrainer(options, context);
    const check = async (): Promise<LinesOutcome & Partial<CheckedParts>> => {
      const [weights, workers] = [readWeights(options), readWorkers(options)];
      const files = { ...request, type, weights, workers, ...trainer };
      if (!isNamed && configuration !== undefined && type === undefined) {
        // Lazy, as is what follows.
        const { checkFixtures } = await import("../validate/fixtures.js");
        const { fixtures, canonical } = configuration;
        return await checkFixtures({ ...files, fixtures, canonical }, context);
      }
      const isGuessed = type === undefined && !options.isGiven("target");
      const refuseFile = isGuessed ? refuseLog(context, true) : undefined;
      if (schema === undefined) return await checkFiles({ ...files, refuseFile }, context);
      // Lazy, because Ajv is large, and only this option compiles a schema.
      const { checkOwnSchema } = await import("../validate/own-schema.js");
      const fetches = options.flag("fetch");
      return await checkOwnSchema({ ...request, schema, schemas: schemas ?? [], fetches }, context);
    };
    const { skippedRollouts = 0, trainerRows = new Map(), ...outcome } = await check();
    const { findings } = outcome;
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    const size = formatBytes(findings.bytes);
    const known = findings.accepted > 0 ? `; ${findings.accepted} accepted by the baseline` : "";
    const summary = [
      `${describeFindings(findings)} in ${formatCount(findings.records, "record")} (${size}, ${seconds} s)${known}\n`,
    ];
    summary.push(...describeRows(trainerRows));
    if (skippedRollouts > 0) {
      const skipped = formatCount(skippedRollouts, "rollout");
      summary.push(`rollout rules skipped for ${skipped}: fix the invalid lines first\n`);
    }
    return { outcome, summary: summary.join("") };
  },
});

/** What a run gives besides the findings. */
type CheckedParts = Pick<Awaited<ReturnType<typeof checkFiles>>, "skippedRollouts" | "trainerRows">;

/** The fixtures of a configuration, which are validated if no file is named. Throws UserError (exit 2) without any. */
function listFixtures(
  configuration: Configuration | undefined,
  exclude: readonly string[] | undefined,
  context: Pick<CommandContext, "program">,
): readonly string[] {
  const fixtures = configuration?.fixtures.map(({ path }) => path) ?? [];
  if (exclude !== undefined) {
    const problem = "--exclude needs a folder or pattern to leave files out of; name it first";
    throw usageError(problem, context, "validate");
  }
  if (fixtures.length > 0) return fixtures;
  const problem =
    configuration === undefined
      ? "missing required argument 'file' (without it, the fixtures of a rollout-wire.config.json in this folder are validated)"
      : `missing required argument 'file' (${configuration.file} lists no fixtures)`;
  throw usageError(problem, context, "validate");
}
