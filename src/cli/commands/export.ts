import type { LinesRequest } from "../../base/run/run-lines.js";
import { EXIT, type ExitCode } from "../../base/user-error.js";
import { exportFiles } from "../../rollouts/pipeline/export/export.js";
import type { ExportInputs } from "../../rollouts/pipeline/export/request.js";
import { tellInputs } from "../../rollouts/pipeline/export/tell-inputs.js";
import { findLogs, haveLogFolder } from "../../rollouts/pipeline/import/find-logs.js";
import type { CommandContext, OptionValues } from "../command.js";
import { describeExport } from "../export/describe.js";
import { explainRollout } from "../export/explain.js";
import {
  exportOptions,
  gateFiles,
  readDestination,
  readGate,
  readSelection,
  readStorage,
  requireOptionsOfAllShards,
} from "../export/options.js";
import { namedForm, readLogOptions, readSupplements, refuseLogOptions } from "../import/options.js";
import { readRunOptions, readSkips } from "../options.js";
import { usageError } from "../program.js";
import { readOptionalRedaction, redactionFiles, redactReport } from "../redaction.js";
import { readInputs, readSeverities } from "../rollout-options.js";
import { formatRows } from "../summary.js";
import { readTarget } from "../target-option.js";
import { defineWriter } from "../writer.js";

/** Exports branches and logs to one file per kind of record. Prints findings on stdout and the summary on stderr. */
export const command = createExport();

/** The same for one of several partitions: inputs without a valid record are no error. */
export const exportPartition = createExport({ mayBeEmpty: true });

function createExport(partition: Pick<LinesRequest, "mayBeEmpty"> = {}) {
  return defineWriter("export", {
    options: exportOptions,
    examples: [
      "export rows.jsonl --eval-items eval.jsonl --target trl",
      "export --input rollouts.jsonl --eval-items eval.jsonl",
      "export --input rollouts.jsonl --eval-items eval.json.gz --eval-field instruction --max-warnings 0",
      "export --input rollouts.jsonl --eval-items eval.jsonl --skip contaminated --min-overlap 0.2",
      "export --input a.jsonl b.jsonl.gz --eval-items eval.jsonl --output-dpo out/dpo.jsonl --output-ppo out/ppo.jsonl",
      "export --input rollouts.jsonl --allow-missing-g3 --pairing all --min-gap 0.3 --output-dpo dpo.jsonl",
      "export --input rollouts.jsonl --eval-items eval.jsonl --output-dir dataset/ --store parquet",
      "export --input rollouts.jsonl --explain r-17",
      "export --input rollouts.jsonl --allow-missing-g3 --target wire --exported-at-ms 1700000000000",
    ],
    async perform({ operands, options }, context, base) {
      const names = [...operands, ...(options.optionalTexts("input") ?? [])];
      if (names.length === 0) {
        throw usageError("missing required argument 'file'", context, "export");
      }
      const explained = options.optionalText("explain");
      if (explained !== undefined) return await explain(explained, names, options, context);
      const destination = readDestination(options);
      const gate = readGate(options);
      const selection = readSelection(options);
      const sets = gateFiles(options);
      const inputs = await findBranches(names, sets, options, context);
      const { shard, keeps = [] } = inputs;
      if (shard !== undefined) requireOptionsOfAllShards(options);
      const redaction = await readOptionalRedaction(options, context);
      const outcome = await exportFiles(
        {
          ...base,
          ...inputs,
          ...partition,
          ...readRunOptions(options),
          keeps: [...keeps, ...sets, ...redactionFiles(options)],
          severities: readSeverities(options),
        },
        { target: readTarget(options), options: selection, gate, redaction },
        destination,
        context,
      );
      const skipped = "skipped (--allow-missing-g3): the outputs may contain evaluation items";
      return {
        outcome,
        summary: formatRows(describeExport(outcome, skipped)),
        hide: (report) => redactReport(report, redaction),
      };
    },
  });
}

/** Options that name files to write. */
const WRITING = ["outputDpo", "outputPpo", "outputSft", "outputDir", "report", "rejects"];

/** What an export reads, and how. */
type FoundBranches = Pick<
  ExportInputs,
  "files" | "keeps" | "shard" | "ranks" | "logs" | "mayBeEmpty"
>;

/**
 * Finds the files of an export, and tells what they hold. `others` are further files that are read. Throws UserError: exit 2
 * for options that do not apply, otherwise as `readInputs`, `findLogs` and `tellInputs` do.
 */
async function findBranches(
  names: readonly string[],
  others: readonly string[],
  options: OptionValues,
  context: CommandContext,
): Promise<FoundBranches> {
  options.refuse(["explainMap"], "is an option of import");
  const named = namedForm(options);
  const isShard = options.isGiven("shard");
  if (isShard || (named === undefined && !(await haveLogFolder(names, context)))) {
    const inputs = await readInputs(options, names, context, { others });
    const kind = await tellInputs(inputs.files, context);
    if (kind !== "logs") {
      refuseLogOptions(options, "applies to logs; these files have branches");
      return { ...inputs, ranks: kind === "captured" };
    }
  }
  return await readLogs(names, named, options, context);
}

async function readLogs(
  names: readonly string[],
  named: ReturnType<typeof namedForm>,
  options: OptionValues,
  context: CommandContext,
) {
  const { supplements, keeps } = await readSupplements(options, context);
  const files = await findLogs(names, context, named);
  const logs = { ...readLogOptions(options, named), supplements };
  return { files, logs, keeps };
}

async function explain(
  id: string,
  names: readonly string[],
  options: OptionValues,
  context: CommandContext,
): Promise<ExitCode> {
  readStorage(options);
  options.refuse(WRITING, "cannot be combined with --explain, which writes no file");
  const { files, ranks, logs } = await findBranches(names, [], options, context);
  const text = await explainRollout(
    id,
    {
      ...{ files, ranks, logs },
      gate: gateFiles(options).length > 0 ? readGate(options) : undefined,
      target: readTarget(options),
      options: readSelection(options),
      severities: readSeverities(options),
      skipErrored: readSkips(options).skipErrored,
      redaction: await readOptionalRedaction(options, context),
    },
    context,
  );
  context.stdout.write(text);
  return EXIT.ok;
}
