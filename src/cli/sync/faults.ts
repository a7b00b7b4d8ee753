import { LOCK_FILE } from "../../drift/lock.js";
import type { FaultPlace, Severity } from "../../findings/finding.js";
import type { CopyChange, RepositoryChange, RetiredChange, SyncChoice } from "./plan.js";
import { describeVerdicts } from "./text.js";

/** Something that the user has to know of a file, from the root of its repository. */
interface SyncFault extends FaultPlace {
  /** `error` for what forbids that anything is written. */
  readonly severity: Severity;
}

/** What speaks against a sync, and what the user overruled. */
export function findSyncFaults(
  { plan: { lockFault, unexpected, tempFiles }, copies, retired }: RepositoryChange,
  choice: SyncChoice,
): SyncFault[] {
  return [
    ...(lockFault === undefined ? [] : [toLockFault(lockFault, choice)]),
    ...copies.flatMap((copy) => toCopyFault(copy) ?? []),
    ...retired.flatMap((copy) => toRetiredFault(copy) ?? []),
    ...unexpected.map(toUnexpectedFault),
    ...tempFiles.map(toTempFileFault),
  ];
}

function toLockFault(fault: FaultPlace, { force }: SyncChoice): SyncFault {
  const fix = force
    ? "it is rewritten (--force)"
    : "fix it, or let --force rewrite it, as if there were none";
  return {
    ...fault,
    severity: force ? "warning" : "error",
    message: `${fault.message}: ${fix}`,
  };
}

function toCopyFault(change: CopyChange): SyncFault | undefined {
  const { action, artefact, state, diff, comparison } = change;
  if (action !== "refuse" && action !== "overwrite") return undefined;
  const detail = [...(comparison ? [describeVerdicts(comparison)] : []), ...diff].join("\n");
  return {
    id: state.state,
    severity: action === "refuse" ? "error" : "warning",
    file: artefact.path,
    position: { line: firstDifference(change), column: 1 },
    message: `${describeState(change)}: ${describeMend(change)}`,
    ...(detail !== "" && { detail }),
  };
}

function describeState({ artefact, state, locked }: CopyChange): string {
  const { schema, version } = artefact;
  if (state.state === "ahead") return `is ahead of ${schema} ${version}: ${state.later}`;
  if (state.state === "changed") {
    const since = locked === undefined ? `is no ${schema} that was published` : "was changed here";
    const alone = state.extent === "contents" ? "" : `, in ${state.extent} alone`;
    return `${since}${alone}`;
  }
  return `is to be of ${schema} ${version}, an old version of which only schemas are kept`;
}

function describeMend({ action, artefact, state }: CopyChange): string {
  if (action === "overwrite") return "it is overwritten (--force)";
  if (state.state === "ahead") return "use a later rollout-wire, or overwrite it with --force";
  if (state.state === "changed") return "undo the change, or overwrite it with --force";
  const { schema } = artefact;
  const to = state.state === "unavailable" && state.present ? ` to ${state.present}` : "";
  return `raise its version in schema/registry.json${to}, or sync with the rollout-wire that had this ${schema}`;
}

function toRetiredFault({ action, locked }: RetiredChange): SyncFault | undefined {
  const message = RETIRED[action];
  if (message === undefined) return undefined;
  return { id: "unexpected", severity: "warning", file: locked.path, message };
}

const RETIRED: Readonly<Record<RetiredChange["action"], string | undefined>> = {
  leave: `is in ${LOCK_FILE}, and the registry does not have it any more: sync with --prune`,
  release: `was changed here, and stays: ${LOCK_FILE} does not hold it to anything any more`,
  remove: undefined,
  forget: undefined,
};

function toUnexpectedFault(file: string): SyncFault {
  const message = "lies among copies, and is no copy of anything: delete it";
  return { id: "unexpected", severity: "warning", file, message };
}

function toTempFileFault(file: string): SyncFault {
  const message = "was left by a run that was killed: remove it";
  return { id: "stray", severity: "warning", file, message };
}

/** Line of the copy, from 1, at which it is not what it is to be. */
function firstDifference({ copy, wanted }: CopyChange): number {
  if (copy === undefined || wanted === undefined) return 1;
  const [there, other] = [copy, wanted].map((bytes) => bytes.toString("utf8").split("\n"));
  const index = (there ?? []).findIndex((line, at) => line !== other?.[at]);
  return index < 0 ? 1 : index + 1;
}
