import { listReleases } from "./list-releases.js";
import type { Release } from "./released-file.js";
import { printVersion } from "./version.js";

/**
 * The newest published version of a schema below `root` whose number begins so: the newest 1.x for `1`, the newest
 * 1.1.x for `1.1`, and 1.1.0 alone for `1.1.0`. Undefined when there is none.
 */
export function findRelease(root: string, name: string, version: string): Release | undefined {
  return listReleases(root, name).find((release) =>
    `${printVersion(release.version)}.`.startsWith(`${version}.`),
  );
}
