import { isRolloutBranchRecord, type RolloutBranchRecord } from "#generated/index.js";
import { buildRollout } from "../export/build-rollout.js";
import { targets } from "../export/targets/index.js";
import { outputKinds } from "../export/targets/target.js";
import { OutlineReader } from "../jsonl/outline-reader.js";
import { wholeReader } from "../jsonl/reader.js";
import type { ExportPlan, RolloutBuilder } from "./builder.js";

/** Builds the records of an export target. There is one output for each kind of file that the target writes. */
export function createExportBuilder({
  target: id,
  options,
}: ExportPlan): RolloutBuilder<RolloutBranchRecord> {
  const target = targets[id];
  const kinds = outputKinds(target);
  return {
    type: "RolloutBranchRecord",
    reader: target.readsToolEvents ? wholeReader : new OutlineReader(),
    outputs: kinds,
    read: (value) => (isRolloutBranchRecord(value) ? value : undefined),
    checkRollout: () => [],
    build(branches) {
      const { records, omitted, unreadableToolEvents } = buildRollout(branches, target, options);
      return {
        outputs: kinds.map((kind) => ({ records: records[kind], omitted: omitted[kind] })),
        unreadableToolEvents: unreadableToolEvents.length,
      };
    },
  };
}
