import { EXIT, type ExitCode } from "../../base/user-error.js";
import { exportFiles } from "../../rollouts/pipeline/export/export.js";
import type { Command, CommandContext, CommandInput, OptionValues } from "../command.js";
import { describeExport } from "../export/describe.js";
import { explainRollout } from "../export/explain.js";
import {
  exportOptions,
  readDestination,
  readGate,
  readPairOptions,
  readStorage,
  requireOptionsOfAllShards,
} from "../export/options.js";
import { readFindingLimits, readRunOptions } from "../options.js";
import { formatRows, printReport, reportRecovery } from "../output.js";
import { startProgress } from "../progress.js";
import { readOptionalRedaction, redactionFiles, redactReport } from "../redaction.js";
import { readSeverities, readShard, readWeights } from "../rollout-options.js";
import { listSchemas } from "../schemas.js";
import { readTarget } from "../target-option.js";

/** Exports ranked branches to one file per kind of record. Prints findings on stdout and the summary on stderr. */
export const command: Command = {
  options: exportOptions,
  examples: [
    "export --input rollouts.jsonl --eval-items eval.jsonl",
    "export --input rollouts.jsonl --eval-items eval.json.gz --eval-field instruction --max-warnings 0",
    "export --input rollouts.jsonl --eval-items eval.jsonl --skip contaminated --min-overlap 0.2",
    "export --input a.jsonl b.jsonl.gz --eval-items eval.jsonl --output-dpo out/dpo.jsonl --output-ppo out/ppo.jsonl",
    "export --input rollouts.jsonl --allow-missing-g3 --pairing all --min-gap 0.3 --output-dpo dpo.jsonl",
    "export --input rollouts.jsonl --eval-items eval.jsonl --output-dir dataset/ --store parquet",
    "export --input rollouts.jsonl --explain r-17",
    "export --input rollouts.jsonl --allow-missing-g3 --target wire --exported-at-ms 1700000000000",
  ],
  run: (input, context) => runExport(input, context),
};

/** Runs the command. `mayBeEmpty`: whether inputs without a valid record are no error. */
export async function runExport(
  { options }: CommandInput,
  context: CommandContext,
  mayBeEmpty = false,
): Promise<ExitCode> {
  const storage = readStorage(options);
  const explained = options.optionalText("explain");
  if (explained !== undefined) return await explain(explained, options, context);
  const gate = readGate(options);
  const shard = await readShard(options, options.texts("input"), context.cwd);
  if (shard !== undefined) requireOptionsOfAllShards(options);
  const redaction = await readOptionalRedaction(options, context);
  const outcome = await exportFiles(
    {
      inputs: shard === undefined ? options.texts("input") : [shard.file],
      shard,
      mayBeEmpty,
      ...gate,
      target: readTarget(options),
      exportedAtMs: options.optionalCount("exportedAtMs"),
      seed: options.count("seed"),
      weights: readWeights(options),
      ...readPairOptions(options),
      destination: readDestination(options),
      storage,
      report: options.optionalText("report"),
      describeSchemas: listSchemas,
      startProgress: (files) => startProgress(files, context),
      ...reportRecovery(context),
      severities: readSeverities(options),
      redaction,
      redactionFiles: redactionFiles(options),
      ...readRunOptions(options),
      ...readFindingLimits(options),
    },
    context,
  );
  const report = redactReport(outcome.findings.toReport("export"), redaction);
  printReport(report, options.text("format"), context);
  const skipped = "skipped (--allow-missing-g3): the outputs may contain evaluation items";
  context.stderr.write(formatRows(describeExport(outcome, skipped)));
  return outcome.written ? EXIT.ok : EXIT.findings;
}

/** Options that name files to write. */
const WRITING = ["outputDpo", "outputPpo", "outputSft", "outputDir", "report", "rejects"];

async function explain(
  id: string,
  options: OptionValues,
  context: CommandContext,
): Promise<ExitCode> {
  options.refuse(WRITING, "cannot be combined with --explain, which writes no file");
  const text = await explainRollout(
    id,
    {
      inputs: options.texts("input"),
      evalItems: options.optionalText("evalItems") ?? options.optionalText("evalIndex"),
      target: readTarget(options),
      seed: options.count("seed"),
      exportedAtMs: options.optionalCount("exportedAtMs"),
      weights: readWeights(options),
      severities: readSeverities(options),
      redaction: await readOptionalRedaction(options, context),
      ...readPairOptions(options),
    },
    context,
  );
  context.stdout.write(text);
  return EXIT.ok;
}
