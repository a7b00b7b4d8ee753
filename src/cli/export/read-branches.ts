import { isRolloutBranchRecord, type RolloutBranchRecord } from "#generated/index.js";
import { checkFiles } from "../../../conformance/check-files.js";
import type { FindingList } from "../../../conformance/finding-list.js";
import { inferEntryType } from "../../records/infer-entry-type.js";
import type { InputSource } from "../../records/input-source.js";
import type { ParsedRecord, RecordLine } from "../../records/read-records.js";
import { isNestedDeeperThan } from "./is-nested-deeper-than.js";

/**
 * Deepest nesting that is exported, in arrays and objects: the recursion limit of Python, whose json
 * module could not read the outputs otherwise, and far within what Node can write.
 */
export const MAX_NESTING = 1000;

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
      if (isNestedDeeperThan(line.value, MAX_NESTING)) findings.add(line, [TOO_DEEP]);
      if (isRolloutBranchRecord(line.value)) {
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

const TOO_DEEP = {
  id: "nesting-depth",
  severity: "error",
  pointer: "",
  message: `nested more than ${MAX_NESTING} levels deep: cannot be exported`,
} as const;

function isParsed(line: RecordLine): line is ParsedRecord {
  return "value" in line;
}
