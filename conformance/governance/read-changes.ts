import type { Lens } from "../../src/compat/change.js";
import { RECORD_LENSES } from "../../src/compat/change.js";
import { compareVersions } from "../../src/compat/compare-versions.js";
import type { Registry } from "../../src/schemas/registry.js";
import { readReleasedFile } from "../../src/schemas/releases.js";
import { compareVersionNumbers, parseVersion } from "../../src/schemas/version.js";
import { type Break, breaksOf } from "../compat/breaks-of.js";
import type { ReleasedVersion, SchemaChange } from "./schema-change.js";
import { readSchemaFile, type SchemaVersion, toSchemaVersion } from "./schema-version.js";

/**
 * What has become of every registered schema below `root`. What a version refers to is taken as it is now, else
 * as it was last published under its `$id`: a change of that is a change of the other schema. Throws as
 * `readJsonFile` does.
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
  const others = [...files.map(({ file }) => file), ...files.flatMap(({ releases }) => releases)];
  return files.map(({ entry, index, file, releases }) => {
    const present = toSchemaVersion(file, others);
    const [last, ...older] = releases.map((release) => ({
      ...toSchemaVersion(release, others),
      version: release.version,
    }));
    const isChanged = last?.text !== file.text;
    if (last === undefined || !isChanged) {
      return { entry, index, present, last, isChanged, breaks: [] };
    }
    const { major } = parseVersion(entry.version);
    const ofThisMajor =
      last.version.major === major ? older.filter(({ version }) => version.major === major) : [];
    const breaks = findBreaks(last, present, ofThisMajor);
    return { entry, index, present, last, isChanged, breaks };
  });
}

/**
 * What a change breaks for data and readers of the last version, and for data of older ones. What was broken
 * for that data already by the last version was settled then.
 */
function findBreaks(
  last: ReleasedVersion,
  present: SchemaVersion,
  older: readonly ReleasedVersion[],
): Break[] {
  const later = older.flatMap((version) => {
    const settled = new Set(compare(version, last).map(({ fingerprint }) => fingerprint));
    return compare(version, present).filter(
      ({ direction, fingerprint, lens }) =>
        direction === "backward" && isOfRecords(lens) && !settled.has(fingerprint),
    );
  });
  const all = [...compare(last, present), ...later];
  return [...new Map(all.map((each) => [each.fingerprint, each])).values()];
}

/** Code is compiled against one version, the last: of older ones only data are left. */
function isOfRecords(lens: Lens): boolean {
  return RECORD_LENSES.some((each) => each === lens);
}

function compare(before: SchemaVersion, after: SchemaVersion): Break[] {
  return breaksOf(compareVersions(before.root, after.root), { old: before, new: after });
}
