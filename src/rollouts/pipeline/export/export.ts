import type { InputSource } from "../../../base/files/source.js";
import { runLines } from "../../../base/run/run-lines.js";
import { redactSecrets } from "../../capture/redact/redact-secrets.js";
import { resolveExportOptions } from "../../wire/export/targets/target.js";
import { profiles } from "../../wire/validation/profiles.js";
import { createRejectRedactor } from "../rejects.js";
import { writeRollouts } from "../write-rollouts.js";
import { writeDescriptions } from "./descriptions.js";
import { openEvaluation } from "./evaluation.js";
import { planFiles } from "./plan-files.js";
import { readLogs } from "./read-logs.js";
import { toReport, toSettings } from "./report.js";
import type { Destination, ExportChoices, ExportInputs, ExportOutcome } from "./request.js";
import { PLAIN, toOutputPlan } from "./storage.js";

/**
 * Runs an export: reads and checks the branches, compares their tasks with the evaluation set, builds the
 * records of the target, and writes its files unless there is an error.
 *
 * Throws UserError for a mistake in the request and for a file that cannot be read or written.
 */
export function exportFiles(
  inputs: ExportInputs,
  choices: ExportChoices,
  destination: Destination,
  source: InputSource,
): Promise<ExportOutcome> {
  const { shard, severities = profiles.strict, skipInvalid, skipErrored } = inputs;
  const { logs, ranks = logs !== undefined } = inputs;
  const { target, gate, redaction } = choices;
  const { storage = PLAIN, describeSchemas = () => [] } = destination;
  const options = resolveExportOptions(choices.options);
  const choice = { target, options, storage, severities, redaction, skipInvalid, skipErrored };
  const settings = toSettings({ ...choice, drop: gate?.drop });
  const lines = {
    ...inputs,
    severities,
    mayBeEmpty: inputs.mayBeEmpty === true || shard !== undefined,
    redactRejects: redaction && createRejectRedactor(redaction),
  };
  return runLines(lines, source, async (run) => {
    const { staging } = run;
    const planned = await planFiles(run, target, destination);
    // Read before the branches, because the smaller file reveals a mistake sooner.
    const evaluation = gate && (await openEvaluation(gate, shard, source));
    const kinds = planned.outputs.map(({ kind }) => kind);
    const hashes = planned.report !== undefined || planned.dataset !== undefined;
    const read = logs && (await readLogs(run, { ...lines, ...logs, hashes }));
    const { receiver, outputs } = await writeRollouts(
      run,
      { ...lines, files: read?.files ?? lines.files },
      {
        builder: { id: "export", target, kinds, options, redaction, ranks },
        outputs: planned.outputs.map((file) => toOutputPlan(file, target, storage)),
        gate: evaluation,
        hashes: hashes && read === undefined,
        locate: read?.imported.locate,
      },
    );
    if (read !== undefined) run.input = { ...run.input, inputs: read.inputs };
    const exported = {
      ...{ target, settings, shard, evaluation, receiver, ranked: ranks, imported: read?.imported },
      inFolder: planned.dataset !== undefined,
      outputs: planned.outputs.flatMap(({ kind, name }, index) =>
        outputs.slice(index, index + 1).map((output) => ({ kind, path: name, output })),
      ),
    };
    return {
      result: exported,
      leftOut: receiver.leftOut + (read?.leftOut ?? 0),
      async finish(outcome) {
        if (planned.report === undefined && planned.dataset === undefined) return;
        const report = toReport({ ...exported, ...outcome }, describeSchemas());
        const shown = redaction === undefined ? report : redactSecrets(redaction)(report);
        await writeDescriptions(planned, shown, { target, outputs, staging });
      },
    };
  });
}
