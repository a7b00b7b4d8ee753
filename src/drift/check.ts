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
import { type CopyGrade, gradePinned, type PinnedFile, toPinned } from "./grade.js";
import type { HashGrade } from "./hash-grade.js";
import { isWithin, LOCK_FILE } from "./lock.js";
import type { Tree } from "./trees/tree.js";

interface CheckedLock {
  readonly copies: readonly CheckedCopy[];
  /** Errors of the lock itself, and warnings about outdated copies. */
  readonly findings: readonly Finding[];
  /** The number of files that the registry demands, each of which the lock must list. */
  readonly demanded: number;
}

/**
 * Compares a repository's files with its lock, offline. The installed package, `canonical`, knows what was published
 * and what the repository must hold, so it detects a lock that contradicts this.
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
      ...findUnregisteredName(lock, tree, canonical),
      ...artefacts.flatMap((each, index) => findFalseHash(each, index, tree, canonical)),
      ...findOutdated(repository, copies, context),
    ],
    demanded: demanded.length,
  };
}

type Demanded = Pick<CheckedCopy, "kind" | "schema" | "version" | "path">;

/** The files that the registry demands. If a copy is locked at another version, the lock lists its files. */
function listDemanded(lock: Lock, canonical: Canonical): Demanded[] {
  return canonical.registeredFor(lock.repository).flatMap((artefact): readonly Demanded[] => {
    const held = lock.artefacts.filter(({ path }) => isWithin(path, artefact.path));
    const isMoved = held.some(({ version }) => version !== artefact.version);
    return isMoved ? held : canonical.filesOf(artefact, lock);
  });
}

function toUnlocked({ kind, schema, version, path }: Demanded, tree: Tree): CheckedCopy {
  const message = `is registered as a copy of ${schema} ${version}, but is not in the lock: sync again`;
  const finding = createFinding({ id: "missing", file: tree.nameOf(path), message });
  return { kind, schema, version, path, grade: "missing", findings: [finding] };
}

/** The lock names an unregistered repository, so missing copies cannot be detected. */
function findUnregisteredName(lock: Lock, tree: Tree, canonical: Canonical): Finding[] {
  if (canonical.repository(lock.repository) !== undefined) return [];
  const names = canonical.registry.repositories.map(({ name }) => name).join(", ");
  return [atLock(tree, "/repository", `is not a registered repository; registered are ${names}`)];
}

/** The lock contradicts a published version, for example because it was rewritten for a modified copy. */
function findFalseHash(
  { kind, schema, version, hashes }: LockedArtefact,
  index: number,
  tree: Tree,
  canonical: Canonical,
): Finding[] {
  if (kind !== "schema") return [];
  const published = canonical.version(schema, version);
  if (published === undefined || schemaHashes(published.text).contract === hashes.contract)
    return [];
  const message = `is not the hash of the published ${schema} ${version}: sync again`;
  return [atLock(tree, `/artefacts/${index}/hashes/contract`, message)];
}

function atLock(tree: Tree, pointer: string, message: string): Finding {
  const source = tree.read(LOCK_FILE)?.toString("utf8");
  const file = tree.nameOf(LOCK_FILE);
  return createFinding({ id: "lock", file, pointer, message, ...(source && { source }) });
}

interface CheckCopyContext {
  readonly canonical: Canonical;
  readonly tree: Tree;
  /** The lock of the repository, if any. */
  readonly lock: Lock | undefined;
}

/** Compares a copy with its original. Any difference is an error; the grade is its severity. */
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
  const isOtherVersion = kind === "schema" && copy !== undefined && !isSameContract(graded);
  const is = isOtherVersion
    ? findVersion(copy, path, canonical.versionsOf(schema), lock)
    : undefined;
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

/** Whether the copy is the pinned version, apart from formatting and documentation. */
function isSameContract({ grade }: CopyGrade | HashGrade): boolean {
  return grade === "formatting" || grade === "documentation";
}

/** The place of the difference in the copy, with proof. */
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
 * The version of a copied schema: the newest version with the same contract; else the locked version, if the lock has
 * exactly these bytes; else a later major version according to its `$id`. Undefined if unknown.
 */
function findVersion(
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

/** Such as `2.0.0` if the `$id` ends in `/v2` and only earlier versions are known. */
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

/** Limit on the changes that are listed. */
const MAX_CHANGES = 5;

interface DescribedChanges {
  /** JSON Pointer to the first difference in the copy. */
  readonly pointer: string;
  /** The differences, each with a witness. */
  readonly detail: string;
}

/** Describes the breaks between a schema (old version) and its copy (new version). */
function describeChanges(
  { changes }: VersionComparison,
  versions: LoadedVersions,
): DescribedChanges {
  const placed = placeChanges(changes, versions);
  const findings = placed
    .flatMap((change) => toDiffFindings(change, versions))
    .filter(({ lens }) => lens === "validate");
  const listed = findings
    .slice(0, MAX_CHANGES)
    .flatMap(({ rule, message, detail }) => [
      `${rule}  ${message}`,
      ...(detail?.split("\n") ?? []),
    ]);
  const left = findings.length - MAX_CHANGES;
  const lines = [...listed, ...(left > 0 ? [`... and ${left} more`] : [])];
  return { pointer: findings[0]?.pointer ?? "", detail: lines.join("\n") };
}

/**
 * Warnings about copies that are pinned at a version before the latest. A folder that is one copy gets one warning.
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
  /** The first of its files. */
  readonly path: string;
  readonly folder: string | undefined;
  readonly files: number;
  readonly pin: string;
  readonly latest: string;
}

function toNotice({ path, folder, files, pin, latest }: Group, tree: Tree): Finding {
  const all = files === 1 ? "" : `, like all ${files} copies in ${folder}/`;
  const message = `is pinned at ${pin}${all}; the latest is ${latest}`;
  const finding = createFinding({ id: "behind-latest", file: tree.nameOf(path), message });
  return { ...finding, severity: "warning" };
}

/** Compiled Python modules. */
const COMPILED = /(^|\/)__pycache__\//;

/**
 * Files that the original of a copied folder does not have. `known` are the paths of the copies, or the folder itself
 * if its contents are unknown.
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
          const message = `is not a copy: ${source} has no such file`;
          const finding = createFinding({ id: "unexpected", file: tree.nameOf(path), message });
          return { kind, schema, version, path, grade: "unexpected", findings: [finding] };
        }),
    );
}
