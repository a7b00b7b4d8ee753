import type { Artefact, Lock, LockedArtefact } from "#generated/index.js";
import type { VersionComparison } from "../compat/compare-versions.js";
import { type LoadedVersions, placeChanges, toDiffFindings } from "../compat/findings.js";
import {
  createFinding,
  type FaultPlace,
  type Finding,
  toTextPosition,
} from "../findings/finding.js";
import { schemaHashes, sha256 } from "../schemas/hashes.js";
import { JsonTextError } from "../schemas/json-text.js";
import { isLater, parseVersion } from "../schemas/version.js";
import type { Canonical, KnownVersion } from "./canonical.js";
import { type CheckedCopy, describeGrade, describeStanding } from "./copy.js";
import { type CopyGrade, gradePinned, type HashGrade, type PinnedFile, toPinned } from "./grade.js";
import { isWithin, LOCK_FILE } from "./lock.js";
import type { Tree } from "./trees/tree.js";

export interface CheckedLock {
  readonly copies: readonly CheckedCopy[];
  /** What is wrong with the lock itself, and that copies are behind. */
  readonly findings: readonly Finding[];
  /** Files that the repository is registered to hold, each of which the lock has to know. */
  readonly demanded: number;
}

/**
 * What the files of a repository are to what its lock says of them: nothing else is needed. `canonical` is the
 * package that is installed, which knows what was published and what the repository is to hold; it refutes a lock
 * that says otherwise.
 */
export function checkLock(lock: Lock, tree: Tree, canonical: Canonical): CheckedLock {
  const { repository, artefacts } = lock;
  const context = { canonical, tree, lock };
  const demanded = listDemanded(lock, canonical);
  const locked = new Set(artefacts.map(({ path }) => path));
  const copies = [
    ...artefacts.map((each) => checkCopy(each, toPinned(each, canonical), context)),
    ...demanded.filter(({ path }) => !locked.has(path)).map((each) => toUnlocked(each, tree)),
  ];
  const known = new Set([...copies, ...demanded].map(({ path }) => path));
  return {
    copies: [...copies, ...findUnexpectedFiles(repository, known, context)],
    findings: [
      ...findForeign(lock, tree, canonical),
      ...artefacts.flatMap((each, index) => findLie(each, index, tree, canonical)),
      ...findOutdated(repository, copies, context),
    ],
    demanded: demanded.length,
  };
}

type Demanded = Pick<CheckedCopy, "kind" | "schema" | "version" | "path">;

/** What is locked at another version than it is registered at, is behind or ahead: which files that is, the lock says. */
function listDemanded(lock: Lock, canonical: Canonical): Demanded[] {
  return canonical.registeredFor(lock.repository).flatMap((artefact): readonly Demanded[] => {
    const held = lock.artefacts.filter(({ path }) => isWithin(path, artefact.path));
    const isMoved = held.some(({ version }) => version !== artefact.version);
    return isMoved ? held : canonical.filesOf(artefact, lock);
  });
}

function toUnlocked({ kind, schema, version, path }: Demanded, tree: Tree): CheckedCopy {
  const message = `is registered as a copy of ${schema} ${version}, and not locked: sync again`;
  const finding = createFinding({ id: "missing", file: tree.nameOf(path), message });
  return { kind, schema, version, path, grade: "missing", findings: [finding] };
}

/** A lock of a repository that nobody registered, so that nobody knows which copies it leaves out. */
function findForeign(lock: Lock, tree: Tree, canonical: Canonical): Finding[] {
  if (canonical.repository(lock.repository) !== undefined) return [];
  const names = canonical.registry.repositories.map(({ name }) => name).join(", ");
  return [atLock(tree, "/repository", `is none of the repositories that are registered: ${names}`)];
}

/** A lock that says of a published version what that is not, as one that was made anew for a changed copy. */
function findLie(
  { kind, schema, version, hashes }: LockedArtefact,
  index: number,
  tree: Tree,
  canonical: Canonical,
): Finding[] {
  if (kind !== "schema") return [];
  const published = canonical.version(schema, version);
  if (published === undefined || schemaHashes(published.text).contract === hashes.contract)
    return [];
  const message = `is not that of ${schema} ${version} as it was published: sync again`;
  return [atLock(tree, `/artefacts/${index}/hashes/contract`, message)];
}

function atLock(tree: Tree, pointer: string, message: string): Finding {
  const source = tree.read(LOCK_FILE)?.toString("utf8");
  const file = tree.nameOf(LOCK_FILE);
  return createFinding({ id: "lock", file, pointer, message, ...(source && { source }) });
}

export interface CheckCopyContext {
  readonly canonical: Canonical;
  readonly tree: Tree;
  /** The lock of the repository, if it has one. */
  readonly lock: Lock | undefined;
}

/**
 * What a file of a repository is to the one that it is to be a copy of. Whatever differs is an error: the grade says
 * how bad it is.
 */
export function checkCopy(
  artefact: Pick<Artefact, "kind" | "schema" | "version" | "path">,
  pinned: PinnedFile | undefined,
  { canonical, tree, lock }: CheckCopyContext,
): CheckedCopy {
  const { kind, schema, version, path } = artefact;
  const copy = tree.read(path);
  const graded = gradePinned(pinned, copy, () => canonical.schemaTexts());
  const checked = { kind, schema, version, path, grade: graded.grade };
  if (graded.grade === "identical") return { ...checked, findings: [] };
  const isOther = kind === "schema" && copy !== undefined && !isSameContract(graded);
  const is = isOther ? findVersion(copy, path, canonical.versionsOf(schema), lock) : undefined;
  const standing = describeStanding(is, version);
  const text = copy?.toString("utf8").replace(/^\ufeff/, "");
  const should = `should be ${schema} ${version}${standing && `, is ${standing}`}`;
  const finding = createFinding({
    id: graded.grade,
    file: tree.nameOf(path),
    ...(text !== undefined && { source: text }),
    message: `${describeGrade(graded)}: ${should}`,
    ...placeOf(graded, text ?? ""),
  });
  return { ...checked, is, findings: [finding] };
}

/** Then it is the version that it is to be. */
function isSameContract({ grade }: CopyGrade | HashGrade): boolean {
  return grade === "formatting" || grade === "documentation";
}

/** Where in the copy it is at fault, and what shows it. */
function placeOf(
  graded: CopyGrade | HashGrade,
  text: string,
): Pick<FaultPlace, "pointer" | "position" | "detail"> {
  if ("comparison" in graded) {
    const { pointer, detail } = describeChanges(graded.comparison, graded.versions);
    return { pointer, ...(detail !== "" && { detail }) };
  }
  if (!("fault" in graded) || graded.fault === undefined) return {};
  const { pointer, offset } = graded.fault;
  return { pointer, position: toTextPosition(text, offset) };
}

/**
 * The version of a schema that a copy is: the newest of those with its contract; or that which the lock beside it
 * says of these very bytes; or one that is not known here, which its `$id` says. Undefined when nothing says it.
 */
export function findVersion(
  copy: Uint8Array,
  path: string,
  known: readonly KnownVersion[],
  lock: Lock | undefined,
): string | undefined {
  const contract = contractOf(copy);
  const same = known.find(({ text }) => schemaHashes(text).contract === contract);
  if (same !== undefined) return same.version;
  const locked = lock?.artefacts.find((artefact) => artefact.path === path);
  return locked?.hashes.bytes === sha256(copy) ? locked.version : findLater(copy, known);
}

/** `2.0.0` of a copy whose `$id` ends in `/v2`, where only versions before that are known. */
function findLater(copy: Uint8Array, [newest]: readonly KnownVersion[]): string | undefined {
  const [, major = "0"] =
    /"\$id"\s*:\s*"[^"]*\/v(\d+)"/.exec(Buffer.from(copy).toString("utf8")) ?? [];
  const known = newest === undefined ? 0 : parseVersion(newest.version).major;
  return Number(major) > known ? `${Number(major)}.0.0` : undefined;
}

function contractOf(copy: Uint8Array): string | undefined {
  try {
    return schemaHashes(copy).contract;
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}

/** Changes that are told one by one. */
const MAX_CHANGES = 5;

export interface DescribedChanges {
  /** JSON Pointer into the copy: the first place that differs. */
  readonly pointer: string;
  /** What differs, with a record that proves each break. */
  readonly detail: string;
}

/** What breaks between a schema and its copy, which is the new version. */
export function describeChanges(
  { changes }: VersionComparison,
  versions: LoadedVersions,
): DescribedChanges {
  const placed = placeChanges(changes, versions);
  const findings = placed
    .flatMap((change) => toDiffFindings(change, versions))
    .filter(({ lens }) => lens === "validate");
  const told = findings
    .slice(0, MAX_CHANGES)
    .flatMap(({ rule, message, detail }) => [
      `${rule}  ${message}`,
      ...(detail?.split("\n") ?? []),
    ]);
  const left = findings.length - MAX_CHANGES;
  const lines = [...told, ...(left > 0 ? [`... and ${left} more`] : [])];
  return { pointer: findings[0]?.pointer ?? "", detail: lines.join("\n") };
}

/**
 * That copies of a repository are pinned at a version that is not the latest: nothing is wrong with them. The files of
 * a folder that is a copy as a whole are told once.
 */
export function findOutdated(
  repository: string,
  copies: readonly CheckedCopy[],
  { canonical, tree }: { readonly canonical: Canonical; readonly tree: Tree },
): Finding[] {
  const folders = canonical.foldersOf(repository).map(({ path }) => path);
  const groups = new Map<string, Group>();
  for (const { schema, version, path, grade } of copies) {
    const latest = canonical.presentVersion(schema);
    if (grade === "unexpected" || latest === undefined || !isLater(latest, version)) continue;
    const folder = folders.find((each) => path.startsWith(`${each}/`));
    const key = JSON.stringify([folder ?? path, schema, version]);
    const files = (groups.get(key)?.files ?? 0) + 1;
    const pin = `${schema} ${version}`;
    groups.set(key, { path, ...groups.get(key), folder, files, pin, latest });
  }
  return [...groups.values()].map((group) => toNotice(group, tree));
}

interface Group {
  /** The first file of it. */
  readonly path: string;
  readonly folder: string | undefined;
  readonly files: number;
  readonly pin: string;
  readonly latest: string;
}

function toNotice({ path, folder, files, pin, latest }: Group, tree: Tree): Finding {
  const all = files === 1 ? "" : `, as all ${files} copies in ${folder}/ are`;
  const message = `is pinned at ${pin}${all}; the latest is ${latest}`;
  const finding = createFinding({ id: "behind-latest", file: tree.nameOf(path), message });
  return { ...finding, severity: "warning" };
}

/** What Python makes of modules when it runs them. */
const COMPILED = /(^|\/)__pycache__\//;

/**
 * Files in a folder that is a copy as a whole, which the original does not have; `known` are paths of its copies, or
 * the folder itself where nobody knows what it is to hold.
 */
export function findUnexpectedFiles(
  repository: string,
  known: ReadonlySet<string>,
  { canonical, tree }: { readonly canonical: Canonical; readonly tree: Tree },
): CheckedCopy[] {
  return canonical
    .foldersOf(repository)
    .filter(({ path }) => !known.has(path))
    .flatMap(({ kind, schema, version, path: folder, source }) =>
      tree
        .files(folder)
        .filter(({ path }) => !known.has(path) && !COMPILED.test(path))
        .map(({ path }): CheckedCopy => {
          const message = `is no copy of anything: ${source} has no such file`;
          const finding = createFinding({ id: "unexpected", file: tree.nameOf(path), message });
          return { kind, schema, version, path, grade: "unexpected", findings: [finding] };
        }),
    );
}
