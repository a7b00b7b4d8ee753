import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What lies in `folder` itself, a path from `root`, in the order of the names; nothing when it is not there. */
export function listFolder(root: string, folder: string): Dirent[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
