import { readdirSync } from "node:fs";
import { join, posix } from "node:path";

/** What `stageFiles` calls a file until it is whole. */
const STAGED = /^\.rollout-wire-[0-9a-f-]{36}\.tmp$/;

/**
 * Files that a run left that was killed, beside any of `paths`, in the folder `root`; from there, sorted. None in a
 * folder that is not there, or in which nobody may look.
 */
export function findStrays(root: string, paths: readonly string[]): string[] {
  const folders = new Set(paths.map((path) => posix.dirname(path)));
  return [...folders].flatMap((folder) => list(root, folder)).sort();
}

function list(root: string, folder: string): string[] {
  let names: string[] = [];
  try {
    names = readdirSync(join(root, folder));
  } catch {
    // Whether a copy can be written there is found out when it is.
  }
  return names.filter((name) => STAGED.test(name)).map((name) => posix.join(folder, name));
}
