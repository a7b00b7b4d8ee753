import { existsSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../../src/files/folders.js";

/** Paths of the JSON files below `root/folder`, from `root`, with forward slashes, sorted. */
export function listJsonFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return listFiles(join(root, folder))
    .filter((file) => file.endsWith(".json"))
    .map((file) => `${folder}/${file}`);
}
