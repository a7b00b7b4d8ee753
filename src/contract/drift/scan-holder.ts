import type { OwnFixture } from "#generated/index.js";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import { groupBy } from "../../base/group-by.js";
import { CONFIG_FILE } from "../../base/package.js";
import { formatCount, previewValue } from "../../base/text.js";
import type { Canonical } from "./canonical.js";
import type { Holder } from "./holder.js";
import { type ForeignRecords, findRecords, isRecordFile } from "./records/find-records.js";
import type { RecordTypes } from "./records/record-types.js";
import type { ReplayedHolder } from "./records/replay.js";
import { findUnregistered, MAX_SIZE, type ScannedTree, toUnread } from "./scan/forks.js";
import { createSearchFilter, type Tree } from "./trees/tree.js";

/** What was found in a repository. */
export interface ScannedHolder extends ScannedTree {
  readonly fixtures: readonly OwnFixture[];
}

/** Its configuration says which files hold records. Without one, all files are searched for them. */
export function scanHolder(
  holder: Holder,
  { canonical, types }: { readonly canonical: Canonical; readonly types: RecordTypes },
): ScannedHolder {
  const { tree, config, artefacts, fixtures, elsewhere } = holder;
  const scan = findUnlisted(tree, holder, canonical);
  const found = findFixtures(tree, config?.exclude ?? [], { canonical, types });
  if (config === undefined) {
    return { ...scan, ...found, findings: [...scan.findings, ...found.findings] };
  }
  const listed = [...artefacts.filter(({ kind }) => kind === "fixture"), ...fixtures];
  const known = new Set([...listed, ...elsewhere].map(({ path }) => path));
  const unlisted = found.fixtures.filter(({ path }) => !known.has(path));
  const findings = unlisted.map(({ path, schema }) => toUnlisted(tree.nameOf(path), schema));
  return { ...scan, fixtures: listed, findings: [...scan.findings, ...findings] };
}

/** The repository as its records and forks are replayed. */
export function toReplayed(holder: Holder, { forks, fixtures }: ScannedHolder): ReplayedHolder {
  return { holder, fixtures, forks: forks.map(({ fork }) => fork) };
}

/** A warning about records that a configuration does not know. */
function toUnlisted(file: string, schema: string): Finding {
  const message = `holds records of ${schema} that ${CONFIG_FILE} does not list under "fixtures": they were not replayed`;
  return { ...createFinding({ id: "unlisted", file, message }), severity: "warning" };
}

/** Records that only other commands read. */
const PACKED = /\.(jsonl|ndjson)\.(gz|zst)$|\.parquet$/;

/** The files of records in a repository, and warnings about those of another format, or that cannot be looked at. */
function findFixtures(
  tree: Tree,
  exclude: readonly string[],
  context: { readonly canonical: Canonical; readonly types: RecordTypes },
): Pick<ScannedHolder, "fixtures" | "findings"> {
  const isSearched = createSearchFilter(tree, exclude);
  const all = tree.files().filter(({ path }) => isSearched(path));
  const files = all.filter(({ path }) => isRecordFile(path));
  const packed = all.filter(({ path }) => PACKED.test(path));
  const paths = files.filter(({ size }) => size <= MAX_SIZE).map(({ path }) => path);
  const fixtures: OwnFixture[] = [];
  const findings: Finding[] = [];
  const others: ForeignFile[] = [];
  for (const [path, bytes] of tree.readMany(paths)) {
    if (bytes === undefined) {
      findings.push(toUnread(tree.nameOf(path), "cannot be read"));
      continue;
    }
    const { fixture, foreign } = findRecords(path, bytes, context);
    if (fixture !== undefined) {
      const { schema, version } = fixture;
      fixtures.push({ schema, version, path });
    } else if (foreign !== undefined) others.push({ file: tree.nameOf(path), ...foreign });
  }
  const [first] = packed;
  if (first !== undefined) {
    const more = packed.length > 1 ? `, like ${formatCount(packed.length - 1, "other file")}` : "";
    findings.push(toUnread(tree.nameOf(first.path), `is compressed or Parquet${more}`));
  }
  return { fixtures, findings: [...findings, ...toForeignFindings(others, context.canonical)] };
}

/** A file of records that resemble ours and are not. */
export interface ForeignFile extends ForeignRecords {
  /** As for messages. */
  readonly file: string;
}

/** A warning for each format: there may be many files of it. */
export function toForeignFindings(files: readonly ForeignFile[], canonical: Canonical): Finding[] {
  const formats = groupBy(files, ({ says, closest }) => JSON.stringify([says, closest]));
  return [...formats.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { file, records, closest, says } = first;
    const reason =
      says === undefined
        ? "each lacks a required field"
        : `schema_version ${previewValue(says)} is of no schema of ${canonical.name}`;
    const message = `holds ${formatCount(records, "record")} of another format: ${reason}, and none is a valid ${closest}, the closest type`;
    const detail =
      more.length === 0 ? {} : { detail: `so do ${formatCount(more.length, "other file")}` };
    const finding = createFinding({ id: "other-format", file, message, ...detail });
    return [{ ...finding, severity: "warning" }];
  });
}

/**
 * Finds copies and forks that neither the lock nor the configuration lists. Files that git ignores, or that the
 * configuration excludes, are not searched.
 */
export function findUnlisted(tree: Tree, holder: Holder, canonical: Canonical): ScannedTree {
  const { artefacts, lock, fixtures, config, elsewhere } = holder;
  const known = [...artefacts, ...(lock?.artefacts ?? []), ...fixtures, ...elsewhere].map(
    ({ path }) => path,
  );
  return findUnregistered(tree, canonical, {
    known: new Set([...known, ...canonical.originalsIn(tree)]),
    isSearched: createSearchFilter(tree, config?.exclude ?? []),
  });
}
