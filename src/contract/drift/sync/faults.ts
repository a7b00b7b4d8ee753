import type { FaultPlace, Severity } from "../../../base/findings/finding.js";
import { CONFIG_FILE } from "../../../base/package.js";
import { formatCount } from "../../../base/text.js";
import { withPlainLineEnds } from "../hash-grade.js";
import { LOCK_FILE } from "../lock.js";
import { isNeverCopied } from "./plan.js";
import type {
  AdoptionReplay,
  CopyChange,
  RepositoryChange,
  RetiredChange,
  SyncChoice,
} from "./repository-plan.js";
import { describeVerdicts } from "./text.js";

/** A problem with a file. `file` is its path in the repository. */
export interface SyncFault extends FaultPlace {
  /** An `error` prevents all writing. */
  readonly severity: Severity;
}

/** Finds the problems that prevent a sync, and warnings, including those for errors that --force overrides. */
export function findSyncFaults(
  { plan: { lockFault, unexpected }, copies, retired }: RepositoryChange,
  choice: SyncChoice,
): SyncFault[] {
  return [
    ...(lockFault === undefined ? [] : [toLockFault(lockFault, choice)]),
    ...copies.flatMap((copy) => toCopyFault(copy, choice) ?? []),
    ...retired.flatMap((copy) => toRetiredFault(copy) ?? []),
    ...unexpected.map(toUnexpectedFault),
  ];
}

function toLockFault(fault: FaultPlace, { force }: SyncChoice): SyncFault {
  const fix = force
    ? "it is rewritten (--force)"
    : "fix it, or rewrite it with --force, as if it were missing";
  return {
    ...fault,
    severity: force ? "warning" : "error",
    message: `${fault.message}: ${fix}`,
  };
}

function toCopyFault(change: CopyChange, choice: SyncChoice): SyncFault | undefined {
  const { action, artefact, state, diff, comparison } = change;
  if (action !== "refuse" && action !== "overwrite") return undefined;
  const detail = [...(comparison ? [describeVerdicts(comparison)] : []), ...diff].join("\n");
  return {
    id: isNeverCopied(change) ? "not-adopted" : state.state,
    severity: action === "refuse" ? "error" : "warning",
    file: artefact.path,
    position: { line: firstDifference(change), column: 1 },
    message: `${describeState(change)}: ${describeFix(change, choice)}`,
    ...(detail !== "" && { detail }),
  };
}

function describeState({ artefact, state, locked }: CopyChange): string {
  const { schema, version } = artefact;
  if (state.state === "ahead") return `is ahead of ${schema} ${version}: ${state.later}`;
  if (state.state === "changed") {
    const since =
      locked === undefined
        ? `was never copied here, and is not a published ${schema}`
        : "was changed here";
    const only = state.extent === "contents" ? "" : `, in ${state.extent} only`;
    return `${since}${only}`;
  }
  return `is pinned at ${schema} ${version}, an old version of which only schemas are available`;
}

function describeFix(change: CopyChange, { force }: SyncChoice): string {
  const { action, artefact, state } = change;
  if (change.replay !== undefined) return describeReplay(change.replay, change);
  if (action === "overwrite") return `it is overwritten (${force ? "--force" : "--adopt"})`;
  if (isNeverCopied(change)) {
    return "replace it with --adopt, after your records were replayed; or move it away, or accept it in the baseline with drift --accept REASON";
  }
  if (state.state === "ahead") return "use a later rollout-wire, or overwrite it with --force";
  if (state.state === "changed") return "undo the change, or overwrite it with --force";
  const { schema } = artefact;
  const to = state.state === "unavailable" && state.present ? ` to ${state.present}` : "";
  return `raise its version in ${CONFIG_FILE}${to}, or sync with the rollout-wire that has this ${schema}`;
}

function describeReplay(
  { records, rejections }: AdoptionReplay,
  { artefact: { schema, version } }: CopyChange,
): string {
  const [first] = rejections;
  if (first !== undefined) {
    const more = rejections.length > 1 ? `, and for ${rejections.length - 1} more causes` : "";
    return `it stays: ${schema} ${version} rejects records of this repository: ${first.file}:${first.line}:${first.column} ${first.pointer} ${first.message}${more}`;
  }
  if (records === 0) {
    return "it is replaced (--adopt); no record was replayed, since the configuration lists no fixtures of it";
  }
  return `it is replaced (--adopt): ${schema} ${version} accepts all ${formatCount(records, "record")} of its fixtures`;
}

function toRetiredFault({ action, locked }: RetiredChange): SyncFault | undefined {
  const message = RETIRED[action];
  if (message === undefined) return undefined;
  return { id: "unexpected", severity: "warning", file: locked.path, message };
}

const RETIRED: Readonly<Record<RetiredChange["action"], string | undefined>> = {
  leave: `is in ${LOCK_FILE}, but no longer in ${CONFIG_FILE}: sync with --prune`,
  release: `was changed here, so it stays, but is no longer in ${LOCK_FILE}`,
  remove: undefined,
  forget: undefined,
};

function toUnexpectedFault(file: string): SyncFault {
  const message = "is in a folder of copies, but is not a copy: delete it";
  return { id: "unexpected", severity: "warning", file, message };
}

/** The first line, from 1, at which the copy differs from the wanted file. */
function firstDifference({ copy, wanted }: CopyChange): number {
  if (copy === undefined || wanted === undefined) return 1;
  const [there, other] = [copy, wanted].map((text) =>
    withPlainLineEnds(text).toString("utf8").split("\n"),
  );
  const index = (there ?? []).findIndex((line, at) => line !== other?.[at]);
  return index < 0 ? 1 : index + 1;
}
