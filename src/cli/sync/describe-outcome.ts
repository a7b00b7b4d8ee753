import { formatCount } from "../../text.js";
import { formatRows } from "../format-rows.js";
import type { PlannedRepository } from "./plan-repository.js";
import type { CopyAction } from "./to-repository-change.js";

const COUNTED: readonly (readonly [action: CopyAction, words: string])[] = [
  ["create", "created"],
  ["update", "updated"],
  ["overwrite", "overwritten"],
  ["refuse", "refused"],
  ["keep", "up to date"],
];

/** Whether anything may be written, and whether it is. */
export interface SyncOutcome {
  readonly isAllowed: boolean;
  readonly isDry: boolean;
}

/** What became of the copies of each repository, in a line. */
export function describeOutcome(
  planned: readonly PlannedRepository[],
  outcome: SyncOutcome,
): string {
  return formatRows(
    planned.map((each) => [each.change.repository.name, describeRepository(each, outcome)]),
  );
}

function describeRepository(planned: PlannedRepository, { isAllowed, isDry }: SyncOutcome): string {
  const { copies } = planned.change;
  const counts = COUNTED.map(
    ([action, words]) => [copies.filter((copy) => copy.action === action).length, words] as const,
  ).filter(([count]) => count > 0);
  const said = `${formatCount(copies.length, "copy", "copies")}: ${counts.map((parts) => parts.join(" ")).join(", ")}`;
  if (!isAllowed) return `${said}; nothing is written`;
  if (planned.written.length + planned.removed.length === 0) return `${said}; nothing to do`;
  return isDry ? `${said}; nothing is written (--dry-run)` : said;
}
