import { posix } from "node:path";
import type { Dialect } from "./dialects.js";
import { type ParsedSchema, parseSchema, tryToParseSchema } from "./parse-schema.js";
import { childOf, decodeFragment, type SchemaLocation, subschemas } from "./schema-set.js";

/** The files beside a schema. Paths have slashes. */
export interface SchemaFiles {
  /** Path of the schema's own file. */
  readonly path: string;
  /** Paths of other schemas, which may refer to this one or be named by their `$id`. Faulty ones are left out. */
  readonly beside: readonly string[];
  /** Folders in which a reference may begin, besides the folder of the file that contains it. */
  readonly roots: readonly string[];
  /** Text of the file at a path; undefined if there is none. */
  readonly read: (path: string) => string | undefined;
}

/** Endings that a reference may omit. */
const ENDINGS = ["", ".schema.json", ".json"];

interface LinkedFile {
  readonly path: string;
  readonly root: SchemaLocation;
}

/** Parses the schema of a file; undefined if it is left out. */
type Parse = (name: string, text: string, fallback: Dialect) => ParsedSchema | undefined;

const parseIfSound: Parse = (_name, text, fallback) => tryToParseSchema(text, fallback);

/** The schemas of a folder in one set. */
export class LinkedFiles {
  readonly #files: SchemaFiles;
  readonly #document: SchemaLocation;
  readonly #dialect: Dialect;
  /** The documents that were read, by path. */
  readonly #linked: Map<string, SchemaLocation>;

  /** `document` is the schema's own file; `dialect` that of files without `$schema`. */
  constructor(document: SchemaLocation, files: SchemaFiles, dialect: Dialect) {
    this.#files = files;
    this.#document = document;
    this.#dialect = dialect;
    this.#linked = new Map([[files.path, document]]);
  }

  /** Adds the schemas beside the document, unless the set already has one with the same `$id`. */
  addBeside(): void {
    const { set } = this.#document;
    for (const path of this.#files.beside) {
      const text = this.#files.read(path) ?? "";
      const schema = tryToParseSchema(text, this.#dialect)?.schema;
      if (typeof schema !== "object" || this.#linked.has(path)) continue;
      const { $id } = schema;
      if (typeof $id === "string" && set.knows(this.#document, $id)) continue;
      this.#linked.set(path, set.add(schema, this.#toUri(path), path));
    }
  }

  /**
   * Adds the files that these documents refer to by their path, and those that these refer to, and makes the references
   * lead there. An `$id` comes first: a reference to a document that is already known stays as it is. Throws UserError
   * (exit 3) as `parseSchema` does for a file that the document itself needs.
   */
  link(): void {
    const needed = new Set([this.#files.path]);
    // Both grow while files are found.
    for (const path of needed) {
      for (const found of this.#linkFile(path, parseSchema)) needed.add(found);
    }
    for (const path of this.#linked.keys()) {
      if (!needed.has(path)) this.#linkFile(path, parseIfSound);
    }
  }

  /** Links the references of one file; returns the paths of the files that they lead to. */
  #linkFile(path: string, parse: Parse): string[] {
    const root = this.#linked.get(path);
    const paths: string[] = [];
    for (const location of root === undefined ? [] : schemasOf(root)) {
      for (const [keyword, reference] of referencesOf(location)) {
        const [target = "", fragment = ""] = reference.split(/#(.*)/s);
        if (target === "" || location.set.knows(location, target)) continue;
        const found = this.#find(target, path, parse);
        if (found === undefined) continue;
        const { uri } = found.root;
        Object.assign(Object(location.schema), { [keyword]: `${uri}#${fragment}` });
        paths.push(found.path);
      }
    }
    return paths;
  }

  #find(target: string, from: string, parse: Parse): LinkedFile | undefined {
    for (const path of candidatesOf(target, from, this.#files.roots)) {
      const root = this.#linked.get(path) ?? this.#load(path, parse);
      if (root === undefined) continue;
      this.#linked.set(path, root);
      return { path, root };
    }
    return undefined;
  }

  #load(path: string, parse: Parse): SchemaLocation | undefined {
    const text = this.#files.read(path);
    const schema = text === undefined ? undefined : parse(path, text, this.#dialect)?.schema;
    return schema === undefined
      ? undefined
      : this.#document.set.add(schema, this.#toUri(path), path);
  }

  /** The same URI wherever the folder is, so that two versions in different folders can be equal. */
  #toUri(path: string): string {
    const parts = posix.relative(posix.dirname(this.#files.path), path).split("/");
    const names = parts.map((part) => (part === ".." ? "_parent_" : encodeURIComponent(part)));
    return `schema:/${names.join("/")}`;
  }
}

function* schemasOf(root: SchemaLocation): Generator<SchemaLocation> {
  const waiting = [root];
  for (let location = waiting.pop(); location !== undefined; location = waiting.pop()) {
    yield location;
    for (const [pointer] of subschemas(location.schema)) waiting.push(childOf(location, pointer));
  }
}

function referencesOf({ schema }: SchemaLocation): [keyword: string, reference: string][] {
  if (typeof schema === "boolean") return [];
  return ["$ref", "$dynamicRef"].flatMap((keyword) => {
    const reference = schema[keyword];
    return typeof reference === "string" ? [[keyword, reference]] : [];
  });
}

/** The paths that a reference may mean: relative to its file, then below a root, for a URL each end of its path. */
export function candidatesOf(target: string, from: string, roots: readonly string[]): string[] {
  const path = decodeFragment(URL.canParse(target) ? new URL(target).pathname : target);
  const isRelative = !URL.canParse(target) && !path.startsWith("/");
  const parts = path.split("/").filter((part) => part !== "");
  const ends = isRelative ? [path] : parts.map((_, index) => parts.slice(index).join("/"));
  const below = roots.flatMap((root) => ends.map((end) => posix.join(root, end)));
  const all = isRelative ? [posix.join(posix.dirname(from), path), ...below] : below;
  return all.flatMap((each) => ENDINGS.map((ending) => posix.normalize(each + ending)));
}
