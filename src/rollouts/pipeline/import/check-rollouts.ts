import { isRolloutBranch, type RolloutBranch } from "#generated/index.js";
import type { RecordFault } from "../../../base/findings/finding.js";
import { printJson } from "../../../base/json/print.js";
import { requireReject } from "../../../base/run/rejects.js";
import type { LineRun } from "../../../base/run/run-lines.js";
import { LOST_BRANCHES } from "../../wire/scoring/lost-branches.js";
import { type BranchFault, checkBranches } from "../../wire/validation/check-record.js";
import type { RuleSeverities } from "../../wire/validation/profiles.js";
import { groupPositions, splitCollisions } from "../groups.js";
import { createFaultLists } from "../rejects.js";
import { addFaults } from "./check-unit.js";
import type { FileForms } from "./file-forms.js";
import type { ImportedRows } from "./imported-rows.js";
import type { BranchOutput } from "./output.js";
import { findSharedText, type SharedText, withSharedTask } from "./shared-task.js";
import type { ImportRow } from "./units.js";

/** Counts of the rollouts of an import. */
export interface RolloutCounts {
  rollouts: number;
  /** Number of rollouts that violate a rule and of their branches. Both were omitted. */
  invalidRollouts: number;
  invalidBranches: number;
  /** Number of rollouts of which records were invalid, and of these records. */
  incompleteRollouts: number;
  lostBranches: number;
  /** Number of rollouts whose users begin in different words, by who speaks the text that became the task. */
  readonly sharedTasks: Map<SharedText["role"], number>;
}

/** The imported branches, and what is needed to judge their rollouts. */
export interface ImportedBranches {
  readonly rows: ImportedRows;
  readonly severities: RuleSeverities;
  readonly output: BranchOutput;
  readonly skipInvalid: boolean;
  readonly forms: FileForms;
  /** By the hash of its id, the number of branches that a rollout lost by invalid records. */
  readonly lost: ReadonlyMap<number, number>;
}

/** Checks the rollouts after all files are read, because their branches may be scattered. */
export async function checkRollouts(
  run: LineRun,
  all: ImportedBranches,
  counts: RolloutCounts,
): Promise<void> {
  const { rows: imported, severities, output, skipInvalid } = all;
  for (const sameHash of groupPositions(imported.log, run.folder)) {
    for (const given of splitCollisions(sameHash)) {
      const rows = shareTask(given, all, counts.sharedTasks);
      const faults = checkBranches(rows, severities);
      for (const { branch, ...fault } of faults) {
        const row = rows[branch];
        if (row === undefined) continue;
        const severity = skipInvalid ? "warning" : fault.severity;
        addRolloutFault(run, { ...fault, severity }, row, imported);
      }
      if (!skipInvalid || faults.every(({ severity }) => severity !== "error")) {
        counts.rollouts += 1;
        noteLost(rows, all, counts);
        continue;
      }
      counts.invalidRollouts += 1;
      counts.invalidBranches += rows.length;
      for (const { ordinal } of rows) output.drop(ordinal);
      await keepRollout(run, rows, faults, imported);
    }
  }
}

/** The rows of a rollout with one task: where its users begin in different words, that is what all branches share. */
function shareTask(
  rows: readonly ImportRow[],
  { rows: imported, output, forms }: ImportedBranches,
  counts: RolloutCounts["sharedTasks"],
): readonly ImportRow[] {
  const [first] = rows;
  if (first === undefined || rows.every(({ task }) => task === first.task)) return rows;
  const isSimulated = forms.at(first.input)?.reader.simulatesUsers === true;
  const shared = findSharedText(readBranches(rows, output), isSimulated);
  if (shared === undefined) return rows;
  for (const row of rows) {
    const [branch] = readBranches([row], output);
    if (branch) output.replace(row.ordinal, printJson(withSharedTask(branch, shared)));
  }
  imported.share(first, shared);
  counts.set(shared.role, (counts.get(shared.role) ?? 0) + 1);
  return rows.map((row) => ({ ...row, task: first.task }));
}

/** Notes in the branches of a rollout how many others it lost. */
function noteLost(
  rows: readonly ImportRow[],
  { output, lost }: ImportedBranches,
  counts: RolloutCounts,
): void {
  const count = lost.get(rows[0]?.hash ?? 0);
  if (count === undefined) return;
  counts.incompleteRollouts += 1;
  counts.lostBranches += count;
  for (const row of rows) {
    const branch: object = JSON.parse(output.read(row));
    output.replace(row.ordinal, printJson({ ...branch, [LOST_BRANCHES]: count }));
  }
}

/** The branches of a rollout as they were written, one at a time. */
function* readBranches(rows: readonly ImportRow[], output: BranchOutput): Generator<RolloutBranch> {
  for (const row of rows) {
    const branch: unknown = JSON.parse(output.read(row));
    if (!isRolloutBranch(branch)) throw new TypeError("an imported branch is invalid");
    yield branch;
  }
}

function addRolloutFault(
  { findings }: LineRun,
  fault: RecordFault,
  row: ImportRow,
  imported: ImportedRows,
): void {
  const { errors, warnings, limits } = findings;
  // Located only if it will be listed.
  const isListed = (fault.severity === "error" ? errors : warnings) < limits.maxErrors;
  const found = isListed ? imported.reread(row) : undefined;
  const message = `${fault.message}${ADVICE[fault.id] ?? ""}`;
  if (found === undefined) {
    const place = { ...imported.placeOf(row), column: 1, pointer: "" };
    findings.addLocated({ ...fault, ...place, message });
    return;
  }
  const pointer = found.toTextPointer(fault.pointer);
  addFaults(findings, found, [{ ...fault, pointer, message }]);
}

const ADVICE: Readonly<Record<string, string>> = {
  "branch-index-unique": "; --id-prefix tells two runs apart",
  "one-task-per-rollout":
    "; users of one group may begin differently only if they speak again, and after a text that all branches share",
};

/** Keeps the lines of a rollout that is left out. */
async function keepRollout(
  { rejects }: LineRun,
  rows: readonly ImportRow[],
  faults: readonly BranchFault[],
  imported: ImportedRows,
): Promise<void> {
  if (rejects === undefined) return;
  const placeAt = (branch: number) => rows[branch] && imported.placeOf(rows[branch]);
  const listFor = createFaultLists(faults, placeAt);
  for (const [branch, row] of rows.entries()) {
    const stored = imported.storedOf(row);
    const place = imported.placeOf(row);
    await rejects.write(requireReject(place, listFor(branch), stored, faults.length));
  }
}
