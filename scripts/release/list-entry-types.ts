import type { SchemaVersion } from "../../conformance/versions/changes.js";
import { pairEntryPoints } from "../../src/compat/entry-points.js";

/** Names of the record types of a version. */
export function listEntryTypes({ root }: SchemaVersion): readonly string[] {
  return pairEntryPoints(root, root).map(({ name }) => name);
}
