import { basename } from "node:path/posix";
import { isRegistry } from "#generated/index.js";
import { isJsonObject, tryParseJson } from "../../../base/json/value.js";
import { toRegistry } from "../../schemas/foreign-registry.js";
import { createSearchFilter, type Tree } from "../trees/tree.js";

/** Names under which owners of schemas keep their registry. */
const NAMES = ["registry.json", "index.json"];

/** Larger files, in bytes, are data. */
const MAX_SIZE = 2 ** 20;

/**
 * The registry of the schemas that a repository owns: ours or in another owner's form, with files that are there. Of
 * several, the one nearest to the root. Undefined if there is none.
 */
export function findRegistry(tree: Tree): string | undefined {
  const isSearched = createSearchFilter(tree, []);
  const files = tree.files();
  const paths = files
    .filter(({ path, size }) => NAMES.includes(basename(path)) && size <= MAX_SIZE)
    .map(({ path }) => path)
    .filter(isSearched)
    .sort((one, other) => one.split("/").length - other.split("/").length);
  const known = new Set(files.map(({ path }) => path));
  for (const [path, bytes] of tree.readMany(paths)) {
    const value = tryParseJson(bytes?.toString("utf8").replace(/^\ufeff/, "") ?? "");
    if (!isJsonObject(value)) continue;
    const registry = isRegistry(value) ? value : toRegistry(value);
    // Files are named from the folder of the registry, or from one above it.
    const folders = path.split("/").map((_, index, parts) => parts.slice(0, index).join("/"));
    const isThere = (file: string): boolean =>
      folders.some((folder) => known.has(folder === "" ? file : `${folder}/${file}`));
    if (registry?.schemas.some(({ file }) => isThere(file))) return path;
  }
  return undefined;
}
