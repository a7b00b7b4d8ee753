import { LOCK_FILE } from "../../drift/lock.js";
import { escapeControls } from "../../text.js";
import { describeVerdicts } from "./describe-verdicts.js";
import type { CopyChange, RepositoryChange } from "./to-repository-change.js";

/** The longest of the words for what is done, and a gap of two. */
const ACTION_WIDTH = 11;

/** What is done to a repository, file by file, with diffs; what is kept or refused is told elsewhere. */
export function describeActions(
  { repository, name, copies, leftovers }: RepositoryChange,
  writesLock: boolean,
): string {
  const lines = [
    ...copies.flatMap(describeCopy),
    ...leftovers
      .filter(({ action }) => action === "remove" || action === "forget")
      .map(({ action, locked }) => toRow(action, locked.path)),
    ...(writesLock ? [toRow("write", LOCK_FILE)] : []),
  ];
  if (lines.length === 0) return "";
  const head = `${repository.name}  ${escapeControls(name)}`;
  return [head, ...lines].map((line) => `${line}\n`).join("");
}

function describeCopy(change: CopyChange): string[] {
  const { action, artefact, comparison } = change;
  if (action === "keep" || action === "refuse") return [];
  const row = toRow(action, `${artefact.path}  ${describeStep(change)}`);
  // Of what is overwritten the finding shows it.
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
