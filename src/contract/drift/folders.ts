import type { Artefact } from "#generated/index.js";
import { isLockName } from "../../base/files/run-files.js";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import { groupBy } from "../../base/group-by.js";
import { formatCount } from "../../base/text.js";
import { isLater } from "../schemas/version.js";
import type { Canonical } from "./canonical.js";
import type { CheckedCopy } from "./copy.js";
import { GRADE_DESCRIPTIONS } from "./grades.js";
import { isWithin } from "./lock.js";
import type { Tree } from "./trees/tree.js";

interface FolderContext {
  readonly canonical: Canonical;
  readonly tree: Tree;
}

/**
 * Replaces the findings of missing copies by one finding for each registered folder of which nothing is there; of one
 * that is partly there, each missing file is a finding.
 */
export function foldMissing(
  copies: readonly CheckedCopy[],
  registered: readonly Artefact[],
  { canonical, tree }: FolderContext,
): CheckedCopy[] {
  const gone = canonical.foldersOf(registered).filter(({ path }) => {
    const within = copies.filter((copy) => isWithin(copy.path, path));
    return within.length > 1 && within.every(({ grade }) => grade === "missing");
  });
  const seen = new Set<string>();
  return copies.map((copy) => {
    const folder = gone.find(({ path }) => isWithin(copy.path, path));
    if (folder === undefined) return copy;
    if (seen.has(folder.path)) return { ...copy, findings: [] };
    seen.add(folder.path);
    const { schema, version, path } = folder;
    const files = copies.filter((each) => isWithin(each.path, path)).length;
    const message = `is missing, with ${files} files: should be those of ${schema} ${version}`;
    return {
      ...copy,
      findings: [createFinding({ id: "missing", file: tree.nameOf(path), message })],
    };
  });
}

/**
 * Replaces the findings of copies with other line ends by a warning for each copy or folder, with the line that keeps git
 * from converting them.
 */
export function adviseLineEnds(
  copies: readonly CheckedCopy[],
  registered: readonly Artefact[],
  { canonical, tree }: FolderContext,
): CheckedCopy[] {
  const folders = canonical.foldersOf(registered);
  const groups = groupBy(
    copies.filter(({ grade }) => grade === "line-ends"),
    ({ path }) => folders.find((folder) => isWithin(path, folder.path))?.path ?? path,
  );
  const findings = new Map(
    [...groups].flatMap(([place, [first, ...more]]) => {
      if (first === undefined) return [];
      const others = more.length === 0 ? "" : `, like ${formatCount(more.length, "other file")}`;
      const line = toAttributes(place, first.path);
      const message = `${GRADE_DESCRIPTIONS["line-ends"]}${others}: add "${line}" to .gitattributes, so that git does not convert them`;
      const finding = createFinding({ id: "line-ends", file: tree.nameOf(first.path), message });
      return [[first, { ...finding, severity: "warning" as const }]];
    }),
  );
  return copies.map((copy) => {
    if (copy.grade !== "line-ends") return copy;
    const finding = findings.get(copy);
    return { ...copy, findings: finding === undefined ? [] : [finding] };
  });
}

/** The line of `.gitattributes` for a copy, or for the folder that it is in. */
function toAttributes(place: string, path: string): string {
  return place === path ? `${path} -text` : `${place}/** -text`;
}

/**
 * Warnings about copies that are pinned at a version before the latest. A folder that is one copy gets one warning.
 */
export function findOutdated(
  registered: readonly Artefact[],
  copies: readonly CheckedCopy[],
  { canonical, tree }: FolderContext,
): Finding[] {
  const folders = canonical.foldersOf(registered).map(({ path }) => path);
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
  registered: readonly Artefact[],
  known: ReadonlySet<string>,
  { canonical, tree }: FolderContext,
): CheckedCopy[] {
  return canonical
    .foldersOf(registered)
    .filter(({ path }) => !known.has(path))
    .flatMap(({ kind, schema, version, path: folder, source }) =>
      tree
        .files(folder)
        .filter(({ path }) => !known.has(path) && !COMPILED.test(path))
        // Of a run that is writing the folder.
        .filter(({ path }) => !path.split("/").some(isLockName))
        .map(({ path }): CheckedCopy => {
          const message = `is not a copy: ${source} has no such file`;
          const finding = createFinding({ id: "unexpected", file: tree.nameOf(path), message });
          return { kind, schema, version, path, grade: "unexpected", findings: [finding] };
        }),
    );
}
