import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Artefact } from "#generated/index.js";
import { listFiles } from "../files/folders.js";

/** What Python leaves beside its modules, which git ignores. */
const LEFT_BEHIND = /(^|\/)__pycache__\/|\.pyc$/;

/**
 * The artefact file by file: itself, or one artefact for each file of its folder, sorted; none when there is
 * nothing at its source in the checkout at `root`.
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

/** Paths of the JSON files below `root/folder`, from `root`, with forward slashes, sorted. */
export function listJsonFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return listFiles(join(root, folder))
    .filter((file) => file.endsWith(".json"))
    .map((file) => `${folder}/${file}`);
}
