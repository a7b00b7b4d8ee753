import type { Finding } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import { escapeControls, quoteForShell } from "../../base/text.js";
import { isLater } from "../schemas/version.js";
import type { Canonical } from "./canonical.js";
import type { CheckedCopy } from "./copy.js";
import type { Holder } from "./holder.js";
import { isWithin, LOCK_FILE } from "./lock.js";
import { isNeverCopied, type PlannedCopy, planCopies } from "./sync/plan.js";
import { WorkingTree } from "./trees/tree.js";

/** The findings about a repository. */
export interface CheckedState {
  readonly copies: readonly CheckedCopy[];
  /** Those that its baseline does not accept. */
  readonly findings: readonly Finding[];
  /** Whether an outdated copy is an error. */
  readonly latest: boolean;
  readonly canonical: Canonical;
  /** Starts the program again. */
  readonly program: string;
}

/** The steps that fix the copies of a repository, in order. They use `--force` where `sync` would otherwise refuse. */
export function listFixes(holder: Holder, state: CheckedState): string[] {
  const { tree, lock, config, registered } = holder;
  const { copies, findings, latest, canonical } = state;
  // What lies where is said by the configuration alone; without one, the only step is to write it.
  if (config === undefined) return findings.length === 0 ? [] : [toInit(holder, state)];
  const reported = findings.map(({ file }) => tree.pathOf(file));
  const wrong = copies.filter(
    ({ grade, path }) => grade !== "identical" && reported.some((place) => isWithin(path, place)),
  );
  const isBehind = latest && findings.some(({ id }) => id === "behind-latest");
  const isLockWrong = holder.faults.length > 0 || findings.some(({ id }) => id === "lock");
  if (wrong.length === 0 && !isLockWrong && !isBehind) return [];
  const read = (path: string): Buffer | undefined => tree.read(path);
  const planned = planCopies({ canonical, registered, lock, read });
  // If the contents of a folder are unknown, the folder itself is the wanted path.
  const wanted = planned.map(({ artefact }) => artefact.path);
  const unwanted = wrong.filter(({ path }) => !wanted.some((place) => isWithin(path, place)));
  const locked = new Set(lock?.artefacts.map(({ path }) => path));
  const retired = unwanted.filter(({ path, grade }) => locked.has(path) && grade !== "missing");
  const unknown = unwanted.filter(({ path }) => !locked.has(path)).map(({ path }) => path);
  const raises = listRaises(planned, holder, state);
  const neverCopied = planned.filter(isNeverCopied).map(({ artefact }) => artefact.path);
  const own = neverCopied.filter((path) => wrong.some((copy) => copy.path === path));
  const needsSync =
    wrong.length > unknown.length + own.length || isLockWrong || raises.length > 0 || isBehind;
  return [
    ...raises,
    ...own.map((path) => toAdoption(path, holder, state)),
    ...(unknown.length > 0 ? [toRemoval(unknown, holder)] : []),
    ...(needsSync ? [toSync(planned, { holder, state, prunes: retired.length > 0 })] : []),
  ];
}

function toAdoption(path: string, { tree }: Holder, { canonical, program }: CheckedState): string {
  const place = escapeControls(tree.nameOf(path));
  const flags = canonical.flagsIn(tree.folder);
  const at = tree.name === "." ? "" : ` in ${escapeControls(tree.name)}`;
  return `move ${place} away and sync, or accept it${at}: ${program} drift --accept REASON${flags}`;
}

/** `init` proposes a configuration; it writes to folders only. */
function toInit({ tree }: Holder, { canonical, program }: CheckedState): string {
  const isHere = tree instanceof WorkingTree;
  const place = isHere && tree.name !== "." ? ` ${quoteForShell(tree.name)}` : "";
  const note = isHere ? "" : `  # ${inCheckout(tree.name)}`;
  return `${program} init${place} --write${canonical.flagsIn(tree.folder)}${note}`;
}

/**
 * Versions that must be raised in the registry, which `sync` does not do: those of unavailable copies, and of
 * outdated copies if these are errors.
 */
function listRaises(
  planned: readonly PlannedCopy[],
  { name }: Holder,
  { latest, canonical }: CheckedState,
): string[] {
  const raised = planned.flatMap(({ artefact: { schema, version }, state }) => {
    const present = canonical.presentVersion(schema);
    if (present === undefined || !isLater(present, version)) return [];
    return latest || state.state === "unavailable"
      ? [`the ${schema} copies in ${name} to ${present}`]
      : [];
  });
  return [...new Set(raised)].map((step) => `in ${CONFIG_FILE}, raise "version" of ${step}; then`);
}

function toRemoval(paths: readonly string[], { tree }: Holder): string {
  if (tree instanceof WorkingTree) {
    return `rm -- ${paths.map((path) => quoteForShell(tree.nameOf(path))).join(" ")}`;
  }
  return `git rm -- ${paths.map(quoteForShell).join(" ")}  # ${inCheckout(tree.name)}`;
}

interface SyncStep {
  readonly holder: Holder;
  readonly state: CheckedState;
  /** Whether copies that are no longer wanted are removed. */
  readonly prunes: boolean;
}

function toSync(
  planned: readonly PlannedCopy[],
  { holder: { name, tree, lock }, state: { canonical, program }, prunes }: SyncStep,
): string {
  const isAhead = planned.some(({ state }) => state.state === "ahead");
  const isChanged = planned.some(({ state: { state }, artefact: { path }, locked }) => {
    // A copy of an unavailable version will differ from the version that replaces it.
    const isThere = (): boolean => tree.read(path) !== undefined || tree.files(path).length > 0;
    return (state === "changed" && locked !== undefined) || (state === "unavailable" && isThere());
  });
  const isLost = lock?.repository !== name && tree.read(LOCK_FILE) !== undefined;
  const notes = [
    ...(tree instanceof WorkingTree ? [] : [inCheckout(tree.name)]),
    ...(isChanged ? ["overwrites local changes"] : []),
    ...(isAhead ? ["replaces later versions, which a later rollout-wire has"] : []),
  ];
  const words = [
    `${program} sync --repo ${name}=${tree instanceof WorkingTree ? quoteForShell(tree.name) : "."}`,
    ...(isChanged || isAhead || isLost ? ["--force"] : []),
    ...(prunes ? ["--prune"] : []),
  ];
  const note = notes.length > 0 ? `  # ${notes.join("; ")}` : "";
  return `${words.join(" ")}${canonical.flagsIn(tree.folder)}${note}`;
}

function inCheckout(place: string): string {
  return `in a checkout of ${escapeControls(place)}`;
}
