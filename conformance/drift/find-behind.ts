import type { Artefact } from "#generated/index.js";
import { createFinding } from "../findings/create-finding.js";
import type { Finding } from "../findings/finding.js";
import { isLater } from "../registry/version.js";
import type { Canonical } from "./canonical.js";
import type { Tree } from "./trees/tree.js";

/** That a copy is pinned at a version that is not the latest: nothing is wrong with the copy. */
export function findBehind(
  { schema, version, path }: Pick<Artefact, "schema" | "version" | "path">,
  { canonical, tree }: { readonly canonical: Canonical; readonly tree: Tree },
): Finding[] {
  const latest = canonical.presentVersion(schema);
  if (latest === undefined || !isLater(latest, version)) return [];
  const message = `is pinned at ${schema} ${version}; the latest is ${latest}`;
  const finding = createFinding({ id: "behind-latest", file: tree.nameOf(path), message });
  return [{ ...finding, severity: "warning" }];
}
