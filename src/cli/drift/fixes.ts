import type { Lock } from "#generated/index.js";
import type { Canonical } from "../../drift/canonical.js";
import type { CheckedCopy } from "../../drift/copy.js";
import { isWithin, LOCK_FILE } from "../../drift/lock.js";
import { type PlannedCopy, planCopies } from "../../drift/sync/plan.js";
import { type Tree, WorkingTree } from "../../drift/trees/tree.js";
import type { Finding } from "../../findings/finding.js";
import { isLater } from "../../schemas/version.js";
import { escapeControls } from "../../text.js";
import { quoteForShell } from "../sync/next-steps.js";

export interface RepositoryToFix {
  readonly name: string;
  readonly place: string;
  readonly tree: Tree;
  readonly lock: Lock | undefined;
  /** Whether an outdated copy is an error. */
  readonly latest: boolean;
}

/** The findings about a repository. */
export interface CheckedState {
  readonly copies: readonly CheckedCopy[];
  /** Findings about the lock and about outdated copies. */
  readonly findings: readonly Finding[];
  readonly isLockWrong: boolean;
}

/** The steps that fix the copies of a repository, in order. They use `--force` where `sync` would otherwise refuse. */
export function listFixes(
  target: RepositoryToFix,
  { copies, findings, isLockWrong }: CheckedState,
  canonical: Canonical,
): string[] {
  const { name, tree, lock, latest } = target;
  const repository = canonical.repository(name);
  if (repository === undefined) return [ASK_FOR_NAME];
  const wrong = copies.filter(
    ({ grade, findings }) => grade !== "identical" || findings.length > 0,
  );
  const isBehind = latest && findings.some(({ id }) => id === "behind-latest");
  if (wrong.length === 0 && !isLockWrong && !isBehind) return [];
  const read = (path: string): Buffer | undefined => tree.read(path);
  const planned = planCopies({ canonical, root: canonical.root, repository, lock, read });
  // If the contents of a folder are unknown, the folder itself is the wanted path.
  const wanted = planned.map(({ artefact }) => artefact.path);
  const unwanted = wrong.filter(({ path }) => !wanted.some((place) => isWithin(path, place)));
  const locked = new Set(lock?.artefacts.map(({ path }) => path));
  const retired = unwanted.filter(({ path, grade }) => locked.has(path) && grade !== "missing");
  const unknown = unwanted.filter(({ path }) => !locked.has(path)).map(({ path }) => path);
  const raises = listRaises(planned, target, canonical);
  const needsSync = wrong.length > unknown.length || isLockWrong || raises.length > 0 || isBehind;
  return [
    ...raises,
    ...(unknown.length > 0 ? [toRemoval(unknown, target)] : []),
    ...(needsSync ? [toSync(planned, retired.length > 0, target)] : []),
  ];
}

const ASK_FOR_NAME =
  "rollout-wire sync --repo NAME=. --force  # NAME: the name of this repository in schema/registry.json";

/**
 * Versions that must be raised in the registry, which `sync` does not do: those of unavailable copies, and of
 * outdated copies if these are errors.
 */
function listRaises(
  planned: readonly PlannedCopy[],
  { name, latest }: RepositoryToFix,
  canonical: Canonical,
): string[] {
  const raised = planned.flatMap(({ artefact: { schema, version }, state }) => {
    const present = canonical.presentVersion(schema);
    if (present === undefined || !isLater(present, version)) return [];
    return latest || state.state === "unavailable"
      ? [`the ${schema} copies in ${name} to ${present}`]
      : [];
  });
  return [...new Set(raised)].map(
    (step) => `in schema/registry.json of rollout-wire, raise "version" of ${step}; then`,
  );
}

function toRemoval(paths: readonly string[], { tree, place }: RepositoryToFix): string {
  if (tree instanceof WorkingTree) {
    return `rm -- ${paths.map((path) => quoteForShell(tree.nameOf(path))).join(" ")}`;
  }
  return `git rm -- ${paths.map(quoteForShell).join(" ")}  # ${inCheckout(place)}`;
}

function toSync(
  planned: readonly PlannedCopy[],
  prunes: boolean,
  { name, place, tree, lock }: RepositoryToFix,
): string {
  const isAhead = planned.some(({ state }) => state.state === "ahead");
  const isChanged = planned.some(({ state: { state }, artefact: { path } }) => {
    // A copy of an unavailable version will differ from the version that replaces it.
    const isThere = (): boolean => tree.read(path) !== undefined || tree.files(path).length > 0;
    return state === "changed" || (state === "unavailable" && isThere());
  });
  const isLost = lock?.repository !== name && tree.read(LOCK_FILE) !== undefined;
  const notes = [
    ...(tree instanceof WorkingTree ? [] : [inCheckout(place)]),
    ...(isChanged ? ["overwrites local changes"] : []),
    ...(isAhead ? ["replaces later versions, which a later rollout-wire has"] : []),
  ];
  const words = [
    `rollout-wire sync --repo ${name}=${tree instanceof WorkingTree ? quoteForShell(place) : "."}`,
    ...(isChanged || isAhead || isLost ? ["--force"] : []),
    ...(prunes ? ["--prune"] : []),
    ...(notes.length > 0 ? [` # ${notes.join("; ")}`] : []),
  ];
  return words.join(" ");
}

function inCheckout(place: string): string {
  return `in a checkout of ${escapeControls(place)}`;
}
