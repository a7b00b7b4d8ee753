import { posix, resolve } from "node:path";
import { toSlashes } from "../../../base/files/inputs.js";
import { isJsonObject } from "../../../base/json/value.js";
import { escapeControls } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { JsonTextError, parseJsonText } from "../../schemas/json-text.js";
import type { SchemaSource } from "../load-version.js";
import { candidatesOf } from "../schema/link-files.js";
import type { CommitFiles } from "./commit-files.js";
import { chooseBeside, readOwnTexts } from "./surroundings.js";

/** What a file says about itself and others. */
interface FileLinks {
  /** What its references name, without fragments: as written, and as a URI. */
  readonly references: readonly (readonly [target: string, uri: string])[];
  /** The URIs of its `$id`s. */
  readonly ids: readonly string[];
}

/** The schemas that those of one folder may name by `$id`, and who refers to whom there. */
interface Surroundings {
  readonly paths: readonly string[];
  readonly byId: ReadonlyMap<string, readonly string[]>;
  /** Filled when a file is first asked for. */
  readonly targets: Map<string, readonly string[]>;
  readonly referrers: ReadonlyMap<string, readonly string[]>;
}

interface CommitSchemasOptions {
  /** The folder from which paths are relative. */
  readonly cwd: string;
  /** A folder in which references may begin. */
  readonly schemaRoot: string | undefined;
  /** Paths of the schemas that will be asked for. */
  readonly schemas: Iterable<string>;
  /** See `SchemaSource.others`. */
  readonly others?: readonly string[];
}

/**
 * Schemas of a commit, with the files to which they refer. Everything counts that may be a reference: with a file too
 * many, a schema is compared and found unchanged; with a file too few, a change would be hidden.
 */
export class CommitSchemas {
  readonly #files: CommitFiles;
  readonly #cwd: string;
  readonly #roots: readonly string[];
  readonly #others: readonly string[];
  /** Files that a partial clone lacks. */
  readonly #unfetched = new Set<string>();
  readonly #links = new Map<string, FileLinks>();
  /** JSON files by folder. */
  readonly #folders: ReadonlyMap<string, readonly string[]>;
  readonly #surroundings = new Map<string, Surroundings>();

  /** Reads the schemas, and all files that they may refer to. Throws UserError (exit 3) if git fails. */
  constructor(files: CommitFiles, options: CommitSchemasOptions) {
    const { cwd, schemaRoot, schemas, others = readOwnTexts() } = options;
    this.#files = files;
    this.#cwd = cwd;
    this.#roots =
      schemaRoot === undefined
        ? []
        : [posix.join(toSlashes(schemaRoot), ".").replace(/(.)\/$/, "$1")];
    this.#others = others;
    const all = [...files.objects.keys()].filter((path) => path.endsWith(".json"));
    this.#folders = groupBy(all.map((path) => [posix.dirname(path), path]));
    this.#read([...schemas]);
  }

  /** Whether the folder in which references may begin is there, if one was named. */
  get hasRoot(): boolean {
    const names = [...this.#folders.keys()];
    return this.#roots.every((root) => names.some((name) => isWithin(root, name)));
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
      files: {
        path,
        beside: this.#neighboursOf(path),
        roots: this.#roots,
        read: (file) => this.#files.read(file),
      },
    };
  }

  /** One of the schemas, and all files that it refers to, directly or not. */
  closureOf(schema: string): ReadonlySet<string> {
    const around = this.#around(posix.dirname(schema));
    // Grows while files are found.
    const closure = new Set([schema]);
    for (const path of closure) {
      for (const target of this.#targetsOf(path, around)) closure.add(target);
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

  /** The files beside one of the schemas that it refers to, or that refer to it. */
  #neighboursOf(schema: string): readonly string[] {
    const { paths, referrers } = this.#around(posix.dirname(schema));
    const near = new Set([...this.closureOf(schema), ...(referrers.get(schema) ?? [])]);
    return paths.filter((path) => path !== schema && near.has(path));
  }

  #read(schemas: readonly string[]): void {
    const folders = new Set(schemas.map((path) => posix.dirname(path)));
    let waiting = new Set([...schemas, ...[...folders].flatMap((each) => this.#besideOf(each))]);
    while (waiting.size > 0) {
      const next = new Set<string>();
      for (const [path, { size, text = "" }] of this.#files.readMany(waiting)) {
        if (size === undefined) this.#unfetched.add(path);
        const links = readLinks(text, path);
        this.#links.set(path, links);
        for (const [target] of links.references) {
          for (const found of this.#byPath(target, path)) next.add(found);
        }
      }
      waiting = new Set([...next].filter((path) => !this.#links.has(path)));
    }
  }

  #around(folder: string): Surroundings {
    const known = this.#surroundings.get(folder);
    if (known !== undefined) return known;
    const paths = this.#besideOf(folder);
    const ids = paths.flatMap(
      (path) => this.#links.get(path)?.ids.map((id) => [id, path] as const) ?? [],
    );
    const around = { paths, byId: groupBy(ids), targets: new Map<string, readonly string[]>() };
    const uses = paths.flatMap((path) =>
      this.#targetsOf(path, around).map((target) => [target, path] as const),
    );
    const surroundings = { ...around, referrers: groupBy(uses) };
    this.#surroundings.set(folder, surroundings);
    return surroundings;
  }

  #besideOf(folder: string): readonly string[] {
    const below = [...this.#folders.keys()].filter((name) =>
      this.#roots.some((root) => isWithin(root, name)),
    );
    const folders = [...new Set([folder, ...below])];
    return chooseBeside(folders.flatMap((name) => this.#folders.get(name) ?? []));
  }

  #targetsOf(
    path: string,
    { byId, targets }: Pick<Surroundings, "byId" | "targets">,
  ): readonly string[] {
    const known = targets.get(path);
    if (known !== undefined) return known;
    const { references } = this.#links.get(path) ?? { references: [] };
    const found = references.flatMap(([target, uri]) => [
      ...(byId.get(uri) ?? []),
      ...this.#byPath(target, path),
    ]);
    const distinct = [...new Set(found)];
    targets.set(path, distinct);
    return distinct;
  }

  /** The files of the commit that a reference may mean by their path. */
  #byPath(target: string, from: string): string[] {
    return candidatesOf(target, from, this.#roots).flatMap((path) => this.#files.find(path) ?? []);
  }
}

function isWithin(root: string, folder: string): boolean {
  return root === "." ? !folder.startsWith("..") : `${folder}/`.startsWith(`${root}/`);
}

function groupBy(
  pairs: Iterable<readonly [key: string, value: string]>,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** The references and `$id`s of a text; none if it is not JSON, which whoever needs the file is told. */
function readLinks(text: string, path: string): FileLinks {
  const references: [string, string][] = [];
  const ids: string[] = [];
  const own = `schema:/${path.split("/").map(encodeURIComponent).join("/")}`;
  const waiting: (readonly [value: unknown, base: string])[] = [[tryToParse(text), own]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, outer] = next;
    const { $id, $ref, $dynamicRef } = isJsonObject(value) ? value : {};
    const base = typeof $id === "string" ? toUri($id, outer) : outer;
    if (typeof $id === "string") ids.push(base);
    for (const reference of [$ref, $dynamicRef]) {
      const target = typeof reference === "string" ? reference.replace(/#.*$/s, "") : "";
      if (target !== "") references.push([target, toUri(target, base)]);
    }
    if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) waiting.push([member, base]);
    }
  }
  return { references, ids };
}

function toUri(reference: string, base: string): string {
  return URL.canParse(reference, base)
    ? new URL(reference, base).href.replace(/#.*$/s, "")
    : reference;
}

function tryToParse(text: string): unknown {
  if (!/"\$(?:id|ref|dynamicRef)"/.test(text)) return undefined;
  try {
    return parseJsonText(text);
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}
