import type { Finding } from "../../src/findings/finding.js";
import { createFinding } from "../../src/findings/finding.js";
import { isLater } from "../registry/version.js";
import type { Canonical } from "./canonical.js";
import type { CheckedCopy } from "./checked-copy.js";
import type { Tree } from "./trees/tree.js";

/**
 * That copies of a repository are pinned at a version that is not the latest: nothing is wrong with them. The files of
 * a folder that is a copy as a whole are told once.
 */
export function findBehind(
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
