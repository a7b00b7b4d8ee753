import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import picomatch from "picomatch";
import { isConfig } from "#generated/index.js";
import { tryParseJson } from "../../../base/json/value.js";
import { CONFIG_FILE, packageRoot } from "../../../base/package.js";
import { readRegistry, toKnownRegistry } from "../../schemas/registry.js";
import {
  listReferable,
  listReferableTexts,
  type NamedFile,
  type NamedText,
} from "../../schemas/schema-id.js";

/** The files of a working tree or of a commit. Paths have slashes, and begin at the current folder. */
export interface FileTree {
  readonly has: (path: string) => boolean;
  /** Undefined if there is no such file. Throws UserError (exit 3) if it cannot be read. */
  readonly read: (path: string) => string | undefined;
  /** The JSON files below a folder, those in `node_modules` and `.git` left out; none if there is no such folder. */
  readonly list: (folder: string) => readonly string[];
}

/** The files in which references are found because somebody named them. */
export interface NamedFiles {
  /** Folders in which a reference may begin. */
  readonly roots: readonly string[];
  readonly files: readonly (NamedFile & Pick<NamedText, "isListed">)[];
  /** The names of files, folders and patterns that match nothing. */
  readonly missing: readonly string[];
}

/** The files that `--schemas` names, then those of the registry that the configuration names. */
export function findNamedFiles(names: readonly string[], tree: FileTree): NamedFiles {
  const roots: string[] = [];
  const missing: string[] = [];
  const paths = names.flatMap((name) => {
    const path = posix.join(name, ".").replace(/(.)\/$/, "$1");
    if (tree.has(path)) return [path];
    const { base, isGlob } = picomatch.scan(path);
    const isMatch = picomatch(path);
    const found = isGlob ? tree.list(base || ".").filter((each) => isMatch(each)) : tree.list(path);
    if (found.length === 0) missing.push(name);
    else if (!isGlob) roots.push(path);
    return found;
  });
  const named = paths.map((path) => ({ path }));
  return { roots, files: [...named, ...listRegistered(tree)], missing };
}

function listRegistered({ has, read }: FileTree): NamedFiles["files"] {
  const config = tryParseJson(read(CONFIG_FILE) ?? "");
  if (!isConfig(config) || config.registry === undefined) return [];
  const registry = toKnownRegistry(tryParseJson(read(config.registry) ?? ""));
  if (registry === undefined) return [];
  // Its files are named from its own folder, or from one above.
  const parts = posix.dirname(config.registry).split("/");
  const folders = parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
  return listReferable(registry.schemas).flatMap(({ path, ...named }) => {
    const found = [...folders, "."].map((folder) => posix.join(folder, path)).find(has);
    return found === undefined ? [] : [{ ...named, path: found, isListed: true }];
  });
}

/** The texts of named files, then the schemas of this package, current and published. Read when one is needed. */
export function readNamed(files: NamedFiles["files"], { read }: FileTree): Iterable<NamedText> {
  return {
    *[Symbol.iterator]() {
      for (const file of files) {
        const text = read(file.path);
        if (text !== undefined) yield { ...file, text };
      }
      yield* listOwn();
    },
  };
}

/** The schemas of this package, current and published. */
export function listOwn(): NamedText[] {
  const root = packageRoot();
  return listReferableTexts(readRegistry(root).schemas, (file) =>
    readFileSync(join(root, file), "utf8"),
  );
}
