import type { VersionComparison } from "../../compat/compare-versions.js";
import type { CopyState } from "../../drift/sync/copies.js";
import type { Leftover, PlannedCopy, SyncPlan } from "../../drift/sync/plan.js";
import { describeTextDiff } from "./describe-text-diff.js";
import type { NamedRepository } from "./read-repositories.js";

/** What the user allows. */
export interface SyncChoice {
  /** To overwrite copies that are ahead, or that somebody changed. */
  readonly force: boolean;
  /** To remove what was copied once and is not to be there any more. */
  readonly prune: boolean;
}

/** What is done to a file that a repository is to hold. */
export type CopyAction = "create" | "update" | "overwrite" | "keep" | "refuse";

/** What is done to one that it is not to hold any more: `release` leaves it there, and it is nobody's copy. */
export type LeftoverAction = "remove" | "release" | "leave" | "forget";

export interface CopyChange extends PlannedCopy {
  readonly action: CopyAction;
  /** What becomes of its text, where there is one. */
  readonly diff: readonly string[];
  /** What becomes of what it means; undefined where that is not known. */
  readonly comparison: VersionComparison | undefined;
}

export interface LeftoverChange extends Leftover {
  readonly action: LeftoverAction;
}

/** All that is done to a repository. */
export interface RepositoryChange extends NamedRepository {
  readonly plan: SyncPlan;
  readonly copies: readonly CopyChange[];
  readonly leftovers: readonly LeftoverChange[];
}

export interface RepositoryChangeOptions {
  readonly choice: SyncChoice;
  /** Compares what a copy means with what it is to mean. */
  compare(copy: PlannedCopy): VersionComparison | undefined;
}

/** What is done to a repository by a plan, as the user chose. */
export function toRepositoryChange(
  named: NamedRepository,
  plan: SyncPlan,
  { choice, compare }: RepositoryChangeOptions,
): RepositoryChange {
  const copies = plan.copies.map((planned): CopyChange => {
    const action = toCopyAction(planned.state, choice);
    const { copy, wanted } = planned;
    if (action === "keep" || copy === undefined || wanted === undefined) {
      return { ...planned, action, diff: [], comparison: undefined };
    }
    const [before, after] = [copy.toString("utf8"), wanted.toString("utf8")];
    const diff = copy.equals(wanted) ? [] : describeTextDiff(before, after);
    return { ...planned, action, diff, comparison: compare(planned) };
  });
  const leftovers = plan.leftovers.map((leftover) => ({
    ...leftover,
    action: toLeftoverAction(leftover, choice),
  }));
  return { ...named, plan, copies, leftovers };
}

function toCopyAction({ state }: CopyState, { force }: SyncChoice): CopyAction {
  switch (state) {
    case "missing":
      return "create";
    case "behind":
      return "update";
    case "current":
    case "held":
      return "keep";
    case "unavailable":
      return "refuse";
    case "ahead":
    case "changed":
      return force ? "overwrite" : "refuse";
  }
}

function toLeftoverAction({ state }: Leftover, { prune }: SyncChoice): LeftoverAction {
  if (state === "gone") return "forget";
  if (!prune) return "leave";
  return state === "unchanged" ? "remove" : "release";
}
