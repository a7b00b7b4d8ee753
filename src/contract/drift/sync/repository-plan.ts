import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Lock } from "#generated/index.js";
import { toReadError } from "../../../base/files/source.js";
import type { FileStaging } from "../../../base/files/staging.js";
import type { Finding } from "../../../base/findings/finding.js";
import { CONFIG_FILE } from "../../../base/package.js";
import { escapeControls, today } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import type { VersionComparison } from "../../compat/compare-versions.js";
import type { Canonical } from "../canonical.js";
import { type Holder, type HolderContext, openHolder } from "../holder.js";
import { LOCK_FILE } from "../lock.js";
import { isAccepted } from "../policy.js";
import { parseRepository, repositoryError } from "../repository-argument.js";
import { WorkingTree } from "../trees/tree.js";
import { createLock, findSourceCommit, toLockEntries } from "./lock.js";
import { isNeverCopied, type PlannedCopy, type RetiredCopy, type SyncPlan } from "./plan.js";
import { describeTextDiff } from "./text.js";

/** Options that the user chose. */
export interface SyncChoice {
  /** Overwrite copies that are ahead or were changed. */
  readonly force: boolean;
  /** Remove retired copies. */
  readonly prune: boolean;
  /** Replace files that were never copied, if the original accepts the records of the repository. */
  readonly adopt: boolean;
}

/** What the original of a fork says about the records of its repository. */
export interface AdoptionReplay {
  readonly records: number;
  /** One for each cause for which it rejects records. */
  readonly rejections: readonly Finding[];
}

/** The action on a wanted copy. `leave` keeps a difference that the baseline accepts. */
export type CopyAction = "create" | "update" | "overwrite" | "keep" | "leave" | "refuse";

/** The action on a retired copy. `release` keeps the file but removes it from the lock. */
export type RetiredAction = "remove" | "release" | "leave" | "forget";

export interface CopyChange extends PlannedCopy {
  readonly action: CopyAction;
  /** Diff of the text, if it is a text. */
  readonly diff: readonly string[];
  /** Comparison of the schema versions; undefined if they are not known. */
  readonly comparison: VersionComparison | undefined;
  /** Of a fork that is to become a copy. */
  readonly replay?: AdoptionReplay | undefined;
}

export interface RetiredChange extends RetiredCopy {
  readonly action: RetiredAction;
}

/** All changes in a repository. */
export interface RepositoryChange extends NamedRepository {
  readonly plan: SyncPlan;
  readonly copies: readonly CopyChange[];
  readonly retired: readonly RetiredChange[];
}

interface RepositoryChangeOptions {
  readonly choice: SyncChoice;
  /** Compares the schema versions of a copy and of its original. */
  compare(copy: PlannedCopy): VersionComparison | undefined;
  /** Replays the records of the repository on the original of a schema. */
  replay(copy: PlannedCopy): AdoptionReplay | undefined;
}

/** Determines the changes in a repository from a plan and the user's options. */
export function toRepositoryChange(
  named: NamedRepository,
  plan: SyncPlan,
  { choice, compare, replay: replayOn }: RepositoryChangeOptions,
): RepositoryChange {
  const copies = plan.copies.map((planned): CopyChange => {
    const { copy, wanted, artefact } = planned;
    const { config, tree } = named.holder;
    const accepts =
      config !== undefined && isAccepted(artefact.path, { config, tree, today: today() });
    const replay = choice.adopt && isNeverCopied(planned) ? replayOn(planned) : undefined;
    const action = toCopyAction(planned, choice, { accepts, replay });
    if (action === "keep" || copy === undefined || wanted === undefined) {
      return { ...planned, action, diff: [], comparison: undefined };
    }
    const diff = copy.equals(wanted) ? [] : describeTextDiff(copy, wanted);
    return { ...planned, action, diff, comparison: compare(planned), replay };
  });
  const retired = plan.retired.map((copy) => ({
    ...copy,
    action: toRetiredAction(copy, choice),
  }));
  return { ...named, plan, copies, retired };
}

interface CopyJudgement {
  /** Whether the baseline accepts the file as it is. */
  readonly accepts: boolean;
  readonly replay: AdoptionReplay | undefined;
}

function toCopyAction(
  planned: PlannedCopy,
  { force, adopt }: SyncChoice,
  { accepts, replay }: CopyJudgement,
): CopyAction {
  const { state } = planned.state;
  if (adopt && !force && isNeverCopied(planned)) {
    return replay === undefined || replay.rejections.length === 0 ? "overwrite" : "refuse";
  }
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
      if (force) return "overwrite";
      return accepts ? "leave" : "refuse";
  }
}

function toRetiredAction({ state }: RetiredCopy, { prune }: SyncChoice): RetiredAction {
  if (state === "gone") return "forget";
  if (!prune) return "leave";
  return state === "unchanged" ? "remove" : "release";
}

/** A repository and its location. */
export interface NamedRepository {
  readonly holder: Holder;
  /** Absolute path, with symbolic links resolved. */
  readonly folder: string;
  /** The folder as the user named it. */
  readonly name: string;
}

/** The source of the copies must not be one of the repositories. */
interface ReadRepositoriesContext extends HolderContext {
  readonly cwd: string;
}

/**
 * Reads `--repo <name>=<folder>` or `--repo <folder>`. Throws UserError: exit 2 if a repository or a folder is given
 * twice; exit 3 if a folder does not exist, or its configuration cannot be read.
 */
export function readRepositories(
  values: readonly string[],
  context: ReadRepositoriesContext,
): NamedRepository[] {
  const named = values.map((value) => readRepository(value, context));
  for (const [index, { holder, folder, name }] of named.entries()) {
    const before = named.slice(0, index);
    if (before.some((other) => other.holder.name === holder.name)) {
      throw repositoryError(holder.name, "is named twice");
    }
    if (before.some((other) => other.folder === folder)) {
      throw repositoryError(name, "is given for two repositories");
    }
  }
  return named;
}

function readRepository(
  value: string,
  { canonical, ruleIds, cwd }: ReadRepositoriesContext,
): NamedRepository {
  const { name: given, place: name } = parseRepository(value);
  const folder = resolve(cwd, name);
  const found = look(folder, name);
  if (found === undefined) throw new UserError(`${escapeControls(name)}: no such folder`);
  if (!found.isDirectory()) throw new UserError(`${escapeControls(name)}: is not a folder`);
  if (realpathSync(folder) === realpathSync(canonical.root)) {
    throw repositoryError(name, "is where the copies come from, not a repository of copies");
  }
  const tree = new WorkingTree(name, realpathSync(folder));
  const holder = openHolder(tree, { canonical, ruleIds }, given);
  const fault = holder.faults.find(({ file }) => file === tree.nameOf(CONFIG_FILE));
  if (fault !== undefined) {
    const { file, line, column, pointer, message } = fault;
    throw new UserError(`${file}:${line}:${column} ${pointer} ${message}`);
  }
  const [other] = holder.elsewhere;
  if (other !== undefined) {
    throw new UserError(
      `${escapeControls(tree.nameOf(CONFIG_FILE))}: lists ${other.path} of ${other.schema}, which is of another registry than that of ${canonical.name}, and a lock has one source: run sync in that repository`,
    );
  }
  return { holder, folder: realpathSync(folder), name };
}

function look(folder: string, name: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    throw toReadError(name, error);
  }
}

/** The file changes in a repository; empty if everything is up to date. */
export interface PlannedRepository extends CopyChanges {
  readonly change: RepositoryChange;
  /** Undefined if the existing lock stays. */
  readonly lock: Lock | undefined;
}

/** Converts decisions to file changes. The lock comes last, so that everything it lists is in place before it. */
export function planRepository(
  change: RepositoryChange,
  choice: SyncChoice,
  canonical: Canonical,
): PlannedRepository {
  const { folder, copies, retired } = change;
  const lock = planLock(change, choice, canonical);
  const written = copies.flatMap(({ action, artefact, copy, wanted }) => {
    if (action === "keep" || action === "leave" || wanted === undefined || copy?.equals(wanted)) {
      return [];
    }
    return [{ path: join(folder, artefact.path), content: wanted }];
  });
  const lockFile = lock && {
    path: join(folder, LOCK_FILE),
    content: `${JSON.stringify(lock, null, 2)}\n`,
  };
  const removed = retired
    .filter(({ action }) => action === "remove")
    .map(({ locked }) => join(folder, locked.path));
  return { change, lock, written: [...written, ...(lockFile ? [lockFile] : [])], removed };
}

/**
 * The new lock of a repository. Undefined if the existing lock is equivalent or there is nothing to lock. A
 * lock is not rewritten merely because a later commit or program made the same copies.
 */
function planLock(
  { holder, plan, copies }: RepositoryChange,
  { prune }: SyncChoice,
  { root, name }: Canonical,
): Lock | undefined {
  const sources = copies
    .filter(({ wanted }) => wanted !== undefined)
    .map(({ artefact }) => artefact.source);
  // A file that stays as it is has no new entry.
  const locked = copies.map((copy) =>
    copy.action === "leave" ? { ...copy, wanted: undefined } : copy,
  );
  const artefacts = toLockEntries({ ...plan, copies: locked }, prune);
  if (artefacts.length === 0) return undefined;
  const commit = findSourceCommit(root, sources);
  const lock = createLock({
    repository: holder.name,
    source: { repository: name, commit },
    artefacts,
  });
  const isSame = isDeepStrictEqual(lock.artefacts, plan.lock?.artefacts);
  const learnsCommit = plan.lock?.source.commit === null && lock.source.commit !== null;
  return isSame && !learnsCommit ? undefined : lock;
}

/** File changes in repositories, with absolute paths. */
interface CopyChanges {
  /** Committed in this order. */
  readonly written: readonly { readonly path: string; readonly content: string | Uint8Array }[];
  readonly removed: readonly string[];
}

/**
 * Writes and removes files atomically: see `FileStaging`. Missing folders are created, and removed again if they
 * stay empty. Throws UserError (exit 3) if a file cannot be written.
 */
export async function writeCopies(
  { written, removed }: CopyChanges,
  staging: FileStaging,
): Promise<void> {
  staging.makeFolders(written.map(({ path }) => dirname(path)));
  for (const path of removed) await staging.remove(path);
  for (const { path, content } of written) await staging.write(path, [content]);
  await staging.commit();
}
