import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Artefact } from "#generated/index.js";
import { listFiles } from "../../base/files/folders.js";

/** Compiled Python modules, which git ignores. */
const LEFT_BEHIND = /(^|\/)__pycache__\/|\.pyc$/;

/**
 * The files of an artefact: itself, or one artefact for each file of its folder, sorted. Empty if its source does not
 * exist in the checkout at `root`.
 */
export function listArtefacts(root: string, artefact: Artefact): Artefact[] {
  const source = join(root, artefact.source);
  if (!existsSync(source)) return [];
  if (!statSync(source).isDirectory()) return [artefact];
  return listFiles(source)
    .filter((file) => !LEFT_BEHIND.test(file))
    .map((file) => ({
      ...artefact,
      source: `${artefact.source}/${file}`,
      path: `${artefact.path}/${file}`,
    }));
}

/** Sorted paths, from `root`, of the JSON files below `root/folder`, with forward slashes. */
export function listJsonFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return listFiles(join(root, folder))
    .filter((file) => file.endsWith(".json"))
    .map((file) => `${folder}/${file}`);
}
