import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packageRoot } from "../../../base/package.js";
import { listReleases, readReleasedFile } from "../../schemas/releases.js";
import { nextVersion, parseVersion, printVersion } from "../../schemas/version.js";
import { type ChangedSchema, describeChanges, printFirstEntry } from "../changelog-entry.js";
import { pairEntryPoints } from "../entry-points.js";
import type { LoadedVersion } from "../load-version.js";
import type { ComparedSchema } from "./compare.js";
import { findRegistered, readSchemaId } from "./schema-id.js";

/** The changelog entry of versions that were compared; "" if nothing changed. */
export function describeEntry({
  status,
  versions,
  comparison,
}: Pick<ComparedSchema, "status" | "versions" | "comparison">): string {
  const { new: newer } = versions;
  const subject = identifySchema(versions, comparison);
  if (status === "added") {
    // The frozen copy of a version is no schema of its own.
    if (readReleasedFile(newer.source.name) !== undefined) return "";
    const types = pairEntryPoints(newer.root, newer.root).map(({ name }) => name);
    return printFirstEntry(subject, types);
  }
  return describeChanges(subject, versions, comparison);
}

/**
 * Name and versions of a schema. A text that was published has its number; any other text of a schema of this package
 * follows the newest published version. Nobody has numbered the versions of other schemas.
 */
export function identifySchema(
  { old: older, new: newer }: ComparedSchema["versions"],
  { bump }: ComparedSchema["comparison"],
): ChangedSchema {
  const id = readSchemaId(newer) ?? readSchemaId(older);
  const entry = id && findRegistered(id);
  if (entry === undefined) {
    return { name: id?.name ?? nameOfFile(newer), from: undefined, to: undefined };
  }
  const { name, version } = entry;
  const releases = listReleases(packageRoot(), name).map((release) => ({
    version: release.version,
    text: readFileSync(join(packageRoot(), release.file), "utf8"),
  }));
  const published = ({ source: { text } }: LoadedVersion) =>
    releases.find((release) => release.text === text)?.version;
  const from = published(older) ?? releases[0]?.version;
  if (from === undefined) return { name, from, to: version };
  const to = published(newer) ?? nextVersion(from, bump, parseVersion(version)).version;
  return { name, from: printVersion(from), to: printVersion(to) };
}

function nameOfFile({ source: { name } }: LoadedVersion): string {
  const path = name.slice(name.lastIndexOf(":") + 1);
  return basename(path).replace(/(\.schema)?\.json$/, "");
}
