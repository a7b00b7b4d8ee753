import type { SchemaChange } from "../../conformance/governance/schema-change.js";
import { toReleasedFile } from "../../conformance/registry/released-file.js";
import { bumpBetween, parseVersion } from "../../conformance/registry/version.js";
import { listChangedDefinitions } from "./list-changed-definitions.js";
import type { PlannedRelease } from "./requirement.js";

/** The release of a schema that has changed; undefined for one that has not, or whose version does not follow. */
export function toRelease(change: SchemaChange): PlannedRelease | undefined {
  const { entry, isChanged, last, present } = change;
  const version = parseVersion(entry.version);
  const bump = last === undefined ? "first" : bumpBetween(last.version, version);
  if (!isChanged || bump === undefined || bump === "none") return undefined;
  const definitions = listChangedDefinitions(last?.value, present.value);
  return { change, bump, file: toReleasedFile(entry.name, version), definitions };
}
