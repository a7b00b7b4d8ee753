import { escapeControls, formatCount } from "../../base/text.js";
import { LOCK_FILE } from "../../contract/drift/lock.js";
import type {
  CopyAction,
  CopyChange,
  PlannedRepository,
  RepositoryChange,
} from "../../contract/drift/sync/repository-plan.js";
import { describeVerdicts } from "../../contract/drift/sync/text.js";
import { formatRows } from "../summary.js";

/** The longest action and a gap of two. */
const ACTION_WIDTH = 11;

/** The changes in a repository, file by file, with diffs. Kept and refused files are reported elsewhere. */
export function describeActions(
  { holder, name, copies, retired }: RepositoryChange,
  writesLock: boolean,
): string {
  const lines = [
    ...copies.flatMap(describeCopy),
    ...retired
      .filter(({ action }) => action === "remove" || action === "forget")
      .map(({ action, locked }) => toRow(action, locked.path)),
    ...(writesLock ? [toRow("write", LOCK_FILE)] : []),
  ];
  if (lines.length === 0) return "";
  const head = `${holder.name}  ${escapeControls(name)}`;
  return [head, ...lines].map((line) => `${line}\n`).join("");
}

function describeCopy(change: CopyChange): string[] {
  const { action, artefact, comparison } = change;
  if (action === "keep" || action === "leave" || action === "refuse") return [];
  const row = toRow(action, `${artefact.path}  ${describeStep(change)}`);
  // For an overwritten file, the finding contains the diff.
  if (action !== "update") return [row];
  const verdicts = comparison && artefact.kind === "schema" ? [describeVerdicts(comparison)] : [];
  return [row, ...[...verdicts, ...change.diff].map((line) => `    ${line}`)];
}

/** `rollout-wire 1.0.0 to 1.1.0`. */
function describeStep({ artefact: { schema, version }, locked }: CopyChange): string {
  const isMove = locked !== undefined && locked.version !== version;
  return isMove ? `${schema} ${locked.version} to ${version}` : `${schema} ${version}`;
}

function toRow(action: string, text: string): string {
  return `  ${action.padEnd(ACTION_WIDTH)}${escapeControls(text)}`;
}

/** What was done to copies, and what would be done if nothing is written. */
const COUNTED: readonly (readonly [action: CopyAction, done: string, planned: string])[] = [
  ["create", "created", "to create"],
  ["update", "updated", "to update"],
  ["overwrite", "overwritten", "to overwrite"],
  ["refuse", "refused", "refused"],
  ["keep", "up to date", "up to date"],
  ["leave", "left, as the baseline accepts", "left, as the baseline accepts"],
];

/** Whether files may be written, and whether this is a dry run. */
export interface SyncOutcome {
  readonly isAllowed: boolean;
  readonly isDry: boolean;
}

/** The outcome for each repository, one line each. */
export function describeOutcome(
  planned: readonly PlannedRepository[],
  outcome: SyncOutcome,
): string {
  return formatRows(
    planned.map((each) => [each.change.holder.name, describeRepository(each, outcome)]),
  );
}

function describeRepository(planned: PlannedRepository, { isAllowed, isDry }: SyncOutcome): string {
  const { copies } = planned.change;
  const isWritten = isAllowed && !isDry;
  const counts = COUNTED.map(
    ([action, done, toDo]) =>
      [copies.filter((copy) => copy.action === action).length, isWritten ? done : toDo] as const,
  ).filter(([count]) => count > 0);
  const summary = `${formatCount(copies.length, "copy", "copies")}: ${counts.map((parts) => parts.join(" ")).join(", ")}`;
  if (!isAllowed) return `${summary}; nothing is written`;
  if (planned.written.length + planned.removed.length === 0) return `${summary}; nothing to do`;
  return isDry ? `${summary}; nothing is written (--dry-run)` : summary;
}
