import { isRolloutBranchRecord, type RolloutBranchRecord } from "#generated/index.js";
import { checkFiles } from "../../../conformance/check-files.js";
import type { FindingList } from "../../../conformance/finding-list.js";
import { findUnexportable } from "../../export/find-unexportable.js";
import { inferEntryType } from "../../records/infer-entry-type.js";
import type { InputSource } from "../../records/input-source.js";
import type { ParsedRecord, RecordLine } from "../../records/to-record-line.js";

/** A task of a rollout with the first line that has it. */
export interface TaskLine {
  readonly rolloutId: string;
  readonly task: string;
  readonly line: ParsedRecord;
}

/** The ranked branches of the input, all in memory. */
export interface BranchInput {
  readonly branches: readonly RolloutBranchRecord[];
  /** Number of different rollout_ids. */
  readonly rollouts: number;
  /** Every task of every rollout, once. */
  readonly tasks: readonly TaskLine[];
  /** How many records have the shape of a branch that nobody ranked yet; each is an error too. */
  readonly unranked: number;
}

/** Reads and checks branches for the export; what is wrong goes to `findings`. */
export async function readBranches(
  files: readonly string[],
  findings: FindingList,
  source: InputSource,
): Promise<BranchInput> {
  const branches: RolloutBranchRecord[] = [];
  const tasksOfRollouts = new Map<string, Map<string, TaskLine>>();
  let unranked = 0;
  for await (const lines of checkFiles(files, "RolloutBranchRecord", findings, source)) {
    for (const line of lines.filter(isParsed)) {
      if (isRolloutBranchRecord(line.value)) {
        const unexportable = findUnexportable(line.value);
        if (unexportable) findings.add(line, [{ ...unexportable, severity: "error" }]);
        const { rollout_id: rolloutId, task } = line.value;
        const tasks = tasksOfRollouts.get(rolloutId) ?? new Map<string, TaskLine>();
        tasksOfRollouts.set(rolloutId, tasks);
        if (!tasks.has(task)) tasks.set(task, { rolloutId, task, line });
        branches.push(line.value);
      } else if (inferEntryType(line.value) === "RolloutBranch") {
        unranked += 1;
      }
    }
  }
  const tasks = [...tasksOfRollouts.values()].flatMap((byText) => [...byText.values()]);
  return { branches, rollouts: tasksOfRollouts.size, tasks, unranked };
}

function isParsed(line: RecordLine): line is ParsedRecord {
  return "value" in line;
}
