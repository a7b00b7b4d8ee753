import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** The folder of all generated code, from the repository's root. */
export const GENERATED_FOLDER = "generated";

/** The hashes that `npm run generate` records: see scripts/fingerprint.ts. It is not generated code itself. */
export const FINGERPRINT_FILE = `${GENERATED_FOLDER}/fingerprint.json`;

/** Folders that tools create; git ignores them too. */
const TOOL_FOLDERS = new Set(["__pycache__", ".mypy_cache", ".pytest_cache"]);

/** Paths of all files below `root/folder`, from `root`, with forward slashes; without the fingerprint. */
export function listFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep))
    .filter((parts) => !parts.some((part) => TOOL_FOLDERS.has(part)))
    .map((parts) => parts.join("/"))
    .filter((path) => path !== FINGERPRINT_FILE);
}

/** A link does not count as a file: its target may be anywhere. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
