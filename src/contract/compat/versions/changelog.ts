import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packageRoot } from "../../../base/package.js";
import { type RegistryEntry, readRegistry } from "../../schemas/registry.js";
import { listReleases, type Release } from "../../schemas/releases.js";
import { nextVersion, parseVersion, printVersion } from "../../schemas/version.js";
import { type ChangedSchema, describeChanges, printFirstEntry } from "../changelog-entry.js";
import { pairEntryPoints } from "../entry-points.js";
import type { LoadedVersion } from "../load-version.js";
import type { ComparedSchema } from "./compare.js";
import { readSchemaId } from "./schema-id.js";

/** The changelog entry of versions that were compared; "" if nothing changed. */
export function describeEntry({
  status,
  versions,
  comparison,
}: Pick<ComparedSchema, "status" | "versions" | "comparison">): string {
  const { new: newer } = versions;
  const subject = identifySchema({ versions, comparison });
  if (status !== "added") return describeChanges(subject, versions, comparison);
  if (comparison.bump === "none") return "";
  const types = pairEntryPoints(newer.root, newer.root).map(({ name }) => name);
  return printFirstEntry({ ...subject, from: undefined }, types);
}

/**
 * Name and versions of a schema. Only two texts have a number: one that was published, and the file of a schema of this
 * package, which follows a published text. Nobody has numbered any other.
 */
export function identifySchema({
  versions: { old: older, new: newer },
  comparison: { bump },
}: Pick<ComparedSchema, "versions" | "comparison">): ChangedSchema {
  const [was, is] = [findPublished(older), findPublished(newer)];
  const entry = findOwn(newer);
  const name = entry?.name ?? is?.name ?? readSchemaId(newer)?.name ?? readSchemaId(older)?.name;
  if (name === undefined) return { name: nameOfFile(newer), from: undefined, to: undefined };
  const from = was?.name === name ? was.version : undefined;
  const wanted = entry && parseVersion(entry.version);
  const follows = from && wanted && nextVersion(from, bump, wanted).version;
  const first = listReleases(packageRoot(), name).length === 0 ? wanted : undefined;
  const to = is?.version ?? follows ?? first;
  return { name, from: from && printVersion(from), to: to && printVersion(to) };
}

/** The published version of a text. */
function findPublished({ source: { text } }: LoadedVersion): Release | undefined {
  const root = packageRoot();
  return listReleases(root).find(({ file }) => readFileSync(join(root, file), "utf8") === text);
}

/** The registry's entry of a file, now or at a commit. */
function findOwn({ source: { origin } }: LoadedVersion): RegistryEntry | undefined {
  const root = packageRoot();
  return readRegistry(root).schemas.find(({ file }) => join(root, file) === origin);
}

function nameOfFile({ source: { name } }: LoadedVersion): string {
  const path = name.slice(name.lastIndexOf(":") + 1);
  return basename(path).replace(/(\.schema)?\.json$/, "");
}
