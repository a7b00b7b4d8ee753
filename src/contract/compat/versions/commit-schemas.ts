import { resolve } from "node:path";
import { toSlashes } from "../../../base/files/inputs.js";
import { addTo } from "../../../base/group-by.js";
import { isJsonObject } from "../../../base/json/value.js";
import { escapeControls } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { JsonTextError, parseJsonText } from "../../schemas/json-text.js";
import type { NamedText } from "../../schemas/schema-id.js";
import type { SchemaSource } from "../load-version.js";
import { candidatesOf } from "../schema/schema-files.js";
import { toUri } from "../schema/uris.js";
import type { CommitFiles } from "./commit-files.js";
import { type FileTree, findNamedFiles, readNamed } from "./named-files.js";

/** What a file says about itself and others. */
interface FileLinks {
  /** What its references name, without fragments: as written, and as a URI. */
  readonly references: readonly (readonly [target: string, uri: string])[];
  /** The URIs of its `$id`s. */
  readonly ids: readonly string[];
  /** Its own `$id`, if that is absolute. */
  readonly id: string | undefined;
}

interface CommitSchemasOptions {
  /** The folder from which paths are relative. */
  readonly cwd: string;
  /** Files, folders and patterns of schemas in which references are found: see `findNamedFiles`. */
  readonly named: readonly string[];
  /** Paths of the schemas that will be asked for. */
  readonly schemas: Iterable<string>;
  /** Paths of schemas to which they may refer by `$id`, after the named ones. Default: none. */
  readonly also?: Iterable<string>;
}

/**
 * Schemas of a commit, with the files to which they refer. Everything counts that may be a reference: with a file too
 * many, a schema is compared and found unchanged; with a file too few, a change would be hidden.
 */
export class CommitSchemas {
  readonly #files: CommitFiles;
  readonly #cwd: string;
  readonly #roots: readonly string[];
  readonly #others: Iterable<NamedText>;
  /** Files that a partial clone lacks. */
  readonly #unfetched = new Set<string>();
  readonly #links = new Map<string, FileLinks>();
  /** Paths of the named files by the `$id`s in them. */
  readonly #byId = new Map<string, string[]>();
  readonly #targets = new Map<string, readonly string[]>();
  /** The names that match nothing. */
  readonly missing: readonly string[];

  /** Reads the schemas, and all files that they may refer to. Throws UserError (exit 3) if git fails. */
  constructor(files: CommitFiles, { cwd, named, schemas, also = [] }: CommitSchemasOptions) {
    this.#files = files;
    this.#cwd = cwd;
    const tree = treeOf(files);
    const found = findNamedFiles(named.map(toSlashes), tree);
    const all = [...found.files, ...[...also].map((path) => ({ path }))];
    this.#roots = found.roots;
    this.missing = found.missing;
    this.#others = readNamed(all, tree);
    this.#read([...schemas, ...all.map(({ path }) => path)]);
    for (const { path } of all) {
      for (const id of this.#links.get(path)?.ids ?? []) addTo(this.#byId, id, path);
    }
  }

  /**
   * One of the schemas, by a name for messages. Throws UserError (exit 3) if the commit lacks it, if it is too large, and
   * if a partial clone has not fetched it.
   */
  toSource(path: string, name = `${this.#files.ref}:${path}`): SchemaSource {
    const text = this.#files.read(path);
    if (text === undefined) {
      throw new UserError(`${escapeControls(name)}: no such file in that commit`);
    }
    return {
      name,
      text,
      others: this.#others,
      origin: resolve(this.#cwd, path),
      formats: this.#files.formatUseOf(path),
      files: {
        path,
        roots: this.#roots,
        read: (file) => this.#files.read(file),
      },
    };
  }

  /** One of the schemas, and all files that it refers to, directly or not. */
  closureOf(schema: string): ReadonlySet<string> {
    // Grows while files are found.
    const closure = new Set([schema]);
    for (const path of closure) {
      for (const target of this.#targetsOf(path)) closure.add(target);
    }
    return closure;
  }

  /** Whether a partial clone lacks a file of a closure: nobody knows what that file refers to. */
  isUnfetched(closure: Iterable<string>): boolean {
    return [...closure].some((path) => this.#unfetched.has(path));
  }

  /** Throws UserError (exit 3) if a partial clone lacks a file of a closure. */
  requireFetched(closure: Iterable<string>): void {
    for (const path of closure) if (this.#unfetched.has(path)) this.#files.read(path);
  }

  #read(schemas: readonly string[]): void {
    let waiting = new Set(schemas);
    while (waiting.size > 0) {
      const next = new Set<string>();
      for (const [path, { size, text = "" }] of this.#files.readMany(waiting)) {
        if (size === undefined) this.#unfetched.add(path);
        const links = readLinks(text, path);
        this.#links.set(path, links);
        for (const [target] of links.references) {
          for (const found of this.#byPath(target, path, links.id)) next.add(found);
        }
      }
      waiting = new Set([...next].filter((path) => !this.#links.has(path)));
    }
  }

  /** Whether a file of a closure refers to a schema elsewhere, which may not be here. */
  mayBeOpen(closure: Iterable<string>): boolean {
    return [...closure].some((path) => {
      const links = this.#links.get(path);
      return links?.references.some(
        (each) =>
          URL.canParse(each[0]) &&
          !links.ids.includes(each[1]) &&
          this.#filesFor(each, path, links).length === 0,
      );
    });
  }

  #targetsOf(path: string): readonly string[] {
    const known = this.#targets.get(path);
    if (known !== undefined) return known;
    const links = this.#links.get(path);
    const found = links?.references.flatMap((each) => this.#filesFor(each, path, links)) ?? [];
    const distinct = [...new Set(found)];
    this.#targets.set(path, distinct);
    return distinct;
  }

  #filesFor([target, uri]: FileLinks["references"][number], path: string, { id }: FileLinks) {
    return [...(this.#byId.get(uri) ?? []), ...this.#byPath(target, path, id)];
  }

  /** The files of the commit that a reference may mean by their path. */
  #byPath(target: string, path: string, id: string | undefined): string[] {
    const { near, below } = candidatesOf(target, { path, id }, this.#roots);
    return [...near, ...below].flatMap((each) => this.#files.find(each) ?? []);
  }
}

/** Lists every file once, because a commit may have very many. */
function treeOf(files: CommitFiles): FileTree {
  return {
    has: (path) => files.find(path) !== undefined,
    read: (path) => files.read(path),
    list: (folder) => {
      const start = folder === "." ? "" : `${folder}/`;
      return [...files.objects.keys()]
        .filter((path) => path.startsWith(start) && !path.startsWith(`${start}../`))
        .filter((path) => path.endsWith(".json") && !/(^|\/)node_modules\//.test(path))
        .sort();
    },
  };
}

/** A metaschema that is known without any file. */
const KNOWN = /^https?:\/\/json-schema\.org\//;

/** What a text refers to, and its `$id`s; none if it is not JSON, which whoever needs the file is told. */
function readLinks(text: string, path: string): FileLinks {
  const references: [string, string][] = [];
  const ids: string[] = [];
  const own = `schema:/${path.split("/").map(encodeURIComponent).join("/")}`;
  const document = tryToParse(text);
  // Draft-04 calls it `id`, which others may use for anything: so there are two bases.
  const waiting: (readonly [value: unknown, bases: readonly string[]])[] = [[document, [own, own]]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, outer] = next;
    const { $id, id, $ref, $dynamicRef, $schema } = isJsonObject(value) ? value : {};
    const bases = [$id, $id ?? id].map((each, index) => {
      const around = outer[index] ?? own;
      return typeof each === "string" ? toUri(each, around) : around;
    });
    for (const base of new Set(bases)) if (!outer.includes(base)) ids.push(base);
    for (const reference of [$ref, $dynamicRef, $schema]) {
      const target = typeof reference === "string" ? reference.replace(/#.*$/s, "") : "";
      if (target === "" || KNOWN.test(target)) continue;
      for (const base of new Set(bases)) references.push([target, toUri(target, base)]);
    }
    if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) waiting.push([member, bases]);
    }
  }
  const { $id, id = $id } = isJsonObject(document) ? document : {};
  return { references, ids, id: typeof id === "string" && URL.canParse(id) ? id : undefined };
}

function tryToParse(text: string): unknown {
  if (!/"(?:\$?id|\$ref|\$dynamicRef|\$schema)"/.test(text)) return undefined;
  try {
    return parseJsonText(text);
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}
