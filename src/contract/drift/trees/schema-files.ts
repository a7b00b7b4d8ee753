import { dirname } from "node:path/posix";
import type { SchemaFiles } from "../../compat/schema/link-files.js";
import type { Tree } from "./tree.js";

/** Limit on the files beside a schema that are loaded with it. */
const MAX_BESIDE = 50;

/** Larger files, in bytes, are not read unless a schema refers to them by their path: data lies beside schemas too. */
const MAX_BESIDE_SIZE = 2 ** 20;

/** The files to which the schema at `path` may refer: by their paths, or beside it by their `$id`. */
export function toSchemaFiles(tree: Tree, path: string): SchemaFiles {
  const named = readNamed(tree, dirname(path));
  const beside = [...named.keys()].filter((file) => file !== path);
  // A reference must not lead out of the repository.
  const read = (file: string): string | undefined =>
    file.startsWith("../") ? undefined : (named.get(file) ?? tree.read(file)?.toString("utf8"));
  return { path, beside: beside.slice(0, MAX_BESIDE), roots: [], read };
}

/** The texts of JSON files with an `$id`, by their paths. */
type NamedFiles = ReadonlyMap<string, string>;

/** By folder. A tree does not change while it is compared, and a folder may hold hundreds of schemas. */
const known = new WeakMap<Tree, Map<string, NamedFiles>>();

function readNamed(tree: Tree, folder: string): NamedFiles {
  const folders = known.get(tree) ?? new Map<string, NamedFiles>();
  known.set(tree, folders);
  const named = folders.get(folder) ?? findNamed(tree, folder);
  folders.set(folder, named);
  return named;
}

function findNamed(tree: Tree, folder: string): NamedFiles {
  const paths = tree
    .filesIn(folder === "." ? "" : folder)
    .filter(({ path, size }) => path.endsWith(".json") && size <= MAX_BESIDE_SIZE)
    .map(({ path }) => path);
  const named = new Map<string, string>();
  for (const [path, bytes] of tree.readMany(paths)) {
    if (bytes?.includes('"$id"')) named.set(path, bytes.toString("utf8"));
  }
  return named;
}
