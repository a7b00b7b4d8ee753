import { pairEntryPoints } from "../../conformance/compat/entry-points.js";
import type { SchemaVersion } from "../../conformance/governance/schema-version.js";

/** Names of the record types of a version. */
export function listEntryTypes({ root }: SchemaVersion): readonly string[] {
  return pairEntryPoints(root, root).map(({ name }) => name);
}
