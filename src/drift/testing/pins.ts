import { REPO_ROOT } from "../../../scripts/run-script.js";
import { Canonical } from "../canonical.js";

/**
 * Whether a registered repository is pinned at an older version, as between the release of a schema and the move of the
 * repository. The code generated from that version is then gone, so it cannot be synced.
 */
export function isBehind(repository: string): boolean {
  const canonical = new Canonical(REPO_ROOT);
  return canonical
    .registeredFor(repository)
    .some(({ schema, version }) => version !== canonical.presentVersion(schema));
}
