import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Paths of the JSON files below `root/folder`, from `root`, with forward slashes, sorted. */
export function listJsonFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(".json"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort();
}
