import {
  compareVersions,
  type VersionComparison,
} from "../../src/contract/compat/compare-versions.js";
import { type LoadedVersion, loadVersion } from "../../src/contract/compat/load-version.js";
import { formatUseOf } from "../../src/contract/schemas/format-use.js";
import { type JsonFile, readJsonFile } from "../../src/contract/schemas/read-json-file.js";
import type { Registry, RegistryEntry } from "../../src/contract/schemas/registry.js";
import { isWire } from "../../src/contract/schemas/registry-file.js";
import { type Release, readReleasedFile } from "../../src/contract/schemas/releases.js";
import { listReferableTexts } from "../../src/contract/schemas/schema-id.js";
import {
  type Bump,
  bumpBetween,
  compareVersionNumbers,
  covers,
  parseVersion,
} from "../../src/contract/schemas/version.js";
import { type Break, listBreaks } from "./breaks.js";

/**
 * The changes of every wire schema below `root` since it was last published. Other schemas that a
 * version refers to by `$id` or alias are taken in their current state, or else as last published: their
 * changes count as changes of their own schema. Throws as `readJsonFile` does.
 */
export function readChanges(root: string, { schemas }: Registry): SchemaChange[] {
  const files = schemas.map((entry, index) => ({
    entry,
    index,
    file: readSchemaFile(root, entry.file),
    releases: entry.released
      .flatMap((file) => readReleasedFile(file) ?? [])
      .sort((one, other) => compareVersionNumbers(other.version, one.version))
      .map(({ file, version }) => ({ ...readSchemaFile(root, file), version })),
  }));
  const texts = new Map(
    files
      .flatMap(({ file, releases }) => [file, ...releases])
      .map(({ file, text }) => [file, text]),
  );
  const others = listReferableTexts(
    schemas,
    (file) => texts.get(file) ?? readSchemaFile(root, file).text,
  );
  const load = (version: SchemaFile): SchemaVersion => {
    const { file: name, text } = version;
    const formats = formatUseOf(root, name);
    return { ...version, ...loadVersion({ name, text, others, formats }) };
  };
  const published = files.filter(({ entry }) => isWire(entry));
  return published.map(({ entry, index, file, releases }) => {
    const present = load(file);
    const [last, ...older] = releases.map((release) => ({
      ...load(release),
      version: release.version,
    }));
    const isChanged = last?.text !== file.text;
    if (last === undefined || !isChanged) {
      return { entry, index, present, last, isChanged, comparison: undefined, breaks: [] };
    }
    const { major } = parseVersion(entry.version);
    const ofThisMajor =
      last.version.major === major ? older.filter(({ version }) => version.major === major) : [];
    const comparison = compareVersions(last.root, present.root);
    const own = listBreaks(comparison, { old: last, new: present });
    const breaks = [...own, ...findOlderBreaks(last, present, ofThisMajor)];
    return { entry, index, present, last, isChanged, comparison, breaks: distinct(breaks) };
  });
}

/**
 * The breaks for what writers of older versions declared: the last version may allow it without declaring it. Older data
 * that the last version already broke does not count again, and any other older data is also data of the last version.
 */
function findOlderBreaks(
  last: ReleasedVersion,
  present: SchemaVersion,
  older: readonly ReleasedVersion[],
): Break[] {
  return older.flatMap((version) => {
    const settled = new Set(compare(version, last).map(({ fingerprint }) => fingerprint));
    return compare(version, present).filter(
      ({ direction, fingerprint, lens }) =>
        direction === "backward" && lens === "declared-writer" && !settled.has(fingerprint),
    );
  });
}

function distinct(breaks: readonly Break[]): Break[] {
  return [...new Map(breaks.map((each) => [each.fingerprint, each])).values()];
}

function compare(before: SchemaVersion, after: SchemaVersion): Break[] {
  return listBreaks(compareVersions(before.root, after.root), { old: before, new: after });
}

/** A published version. */
export interface ReleasedVersion extends SchemaVersion, Pick<Release, "version"> {}

/** The change of a schema since it was last published. */
export interface SchemaChange {
  readonly entry: RegistryEntry;
  /** Index of its entry in the registry. */
  readonly index: number;
  readonly present: SchemaVersion;
  /** The newest published version; undefined for a new schema. */
  readonly last: ReleasedVersion | undefined;
  /** Whether its bytes differ from the last version. */
  readonly isChanged: boolean;
  /** The last version and the present one; undefined if nothing has changed since, or there was none. */
  readonly comparison: VersionComparison | undefined;
  /**
   * The breaks for data and readers of the last version, and for older data of the same major version, including
   * undecided changes.
   */
  readonly breaks: readonly Break[];
}

/**
 * The version bump that a break requires. Major: breaks data that was written by the schema, or removes a required
 * property. Minor: breaks only data with undeclared properties, such as one that is now declared differently, only old
 * readers, or only code that uses the generated types.
 */
export function bumpFor({ direction, lens, isMajor }: Break): Bump {
  const isOfData = direction === "backward" && lens === "declared-writer";
  return isOfData || isMajor === true ? "major" : "minor";
}

/** Whether the version was raised enough for a break. */
export function isCovered({ last, entry }: SchemaChange, found: Break): boolean {
  const raised = last && bumpBetween(last.version, parseVersion(entry.version));
  return raised !== undefined && covers(raised, bumpFor(found));
}

/** The version bump that a change requires if the breaks with the `approved` fingerprints are intended. */
export function requiredBump(
  { isChanged, breaks }: SchemaChange,
  approved: ReadonlySet<string>,
): Bump {
  const bumps = breaks.filter(({ fingerprint }) => !approved.has(fingerprint)).map(bumpFor);
  if (bumps.includes("major")) return "major";
  if (bumps.includes("minor")) return "minor";
  return isChanged ? "patch" : "none";
}

/** A schema file that has been read. */
export interface SchemaFile extends JsonFile {
  /** Path from the repository's root. */
  readonly file: string;
}

/** A version of a schema in this repository, ready for comparison. */
export interface SchemaVersion extends SchemaFile, LoadedVersion {}

/** Reads a schema file of the repository at `root`. Throws as `readJsonFile` does. */
export function readSchemaFile(root: string, file: string): SchemaFile {
  return { file, ...readJsonFile(root, file) };
}
