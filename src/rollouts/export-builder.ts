import { isRolloutBranchRecord, type RolloutBranchRecord } from "#generated/index.js";
import { buildRollout } from "../export/build-rollout.js";
import { targets } from "../export/targets/index.js";
import { outputKinds } from "../export/targets/target.js";
import { OutlineReader } from "../jsonl/outline-reader.js";
import { wholeReader } from "../jsonl/reader.js";
import { RecordRedactor } from "../redact/line-redactor.js";
import type { ExportPlan, RolloutBuilder } from "./builder.js";

/**
 * Builds the records of an export target. There is one output for each kind of file that the target writes. With
 * `redaction`, secrets are replaced after the branches are checked, so that findings and task comparisons refer to
 * the input.
 */
export function createExportBuilder({
  target: id,
  options,
  redaction,
}: ExportPlan): RolloutBuilder<RolloutBranchRecord> {
  const target = targets[id];
  const kinds = outputKinds(target);
  const redactor = redaction && new RecordRedactor(redaction);
  return {
    type: "RolloutBranchRecord",
    reader: target.readsToolEvents || redactor ? wholeReader : new OutlineReader(),
    outputs: kinds,
    read: (value) => (isRolloutBranchRecord(value) ? value : undefined),
    checkRollout: () => [],
    build(given) {
      const branches = redactor ? given.map((branch) => redactor.redact(branch)) : given;
      const { records, omitted, unreadableToolEvents } = buildRollout(branches, target, options);
      return {
        secrets: redactor?.takeSecrets(),
        outputs: kinds.map((kind) => ({ records: records[kind], omitted: omitted[kind] })),
        unreadableToolEvents: unreadableToolEvents.length,
      };
    },
  };
}
