import type { VersionComparison } from "../../compat/compare-versions.js";
import type { LoadedVersions } from "../../compat/findings.js";
import { isJsonObject } from "../../json/value.js";
import { packageRoot } from "../../package-root.js";
import { listMovers, readRegistry } from "../../schemas/registry.js";

/**
 * The version number that a change asks for, and which repositories have to move for it: readers before
 * writers, since nobody may write what nobody reads yet. Only of schemas that this package has.
 */
export function describeMovers(
  { bump }: VersionComparison,
  { new: { root } }: LoadedVersions,
): string {
  const id = isJsonObject(root.schema) ? root.schema.$id : undefined;
  const entry = readRegistry(packageRoot()).schemas.find((schema) => schema.id === id);
  if (entry === undefined || bump === "none" || bump === "patch") return `bump: ${bump}\n`;
  const { readers, writers } = listMovers(entry);
  const order = [...readers, ...writers];
  const last = order.pop();
  const list = order.length === 0 ? last : `${order.join(", ")}, then ${last}`;
  return `bump: ${bump}.  Who must move, in order: ${list}.\n`;
}
