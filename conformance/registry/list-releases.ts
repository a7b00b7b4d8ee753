import { listJsonFiles } from "./list-json-files.js";
import { type Release, readReleasedFile } from "./released-file.js";
import { RELEASED_FOLDER } from "./released-hashes.js";
import { compareVersionNumbers } from "./version.js";

/** The versions of schemas that are published below `root`, the newest first; of one schema alone when it is named. */
export function listReleases(root: string, name?: string): Release[] {
  return listJsonFiles(root, RELEASED_FOLDER)
    .flatMap((file) => readReleasedFile(file) ?? [])
    .filter((release) => name === undefined || release.name === name)
    .sort((one, other) => compareVersionNumbers(other.version, one.version));
}
