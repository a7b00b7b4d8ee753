import type { FormatUse } from "#generated/index.js";
import { type FaultPlace, throwFaults } from "../../../base/findings/finding.js";
import { toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject } from "../../../base/json/value.js";
import { childOf, type SchemaLocation } from "../../compat/schema/schema-set.js";
import { isSchema } from "../../compat/schema/subschemas.js";
import type {
  Definition,
  Definitions,
  SchemaPlace,
  SourceSchema,
} from "../../schemas/definitions.js";
import { canonicalHash } from "../../schemas/hashes.js";
import { DEFINITION_KEYWORDS } from "../../schemas/keywords.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { type LoadedFile, LoadedSet, type ReadFile } from "./load-set.js";
import { nameFiles, nameTypes } from "./names.js";
import { constrains, toNode } from "./normal-form.js";
import { invalid, parseFiles, type SchemaFile } from "./parse-files.js";

/** Schemas in normal form, and their faults. */
export interface LinkedSchemas {
  readonly schemas: readonly SourceSchema[];
  readonly definitions: Definitions;
  /** What is wrong in the files. If there are any, the rest may be incomplete. */
  readonly faults: readonly FaultPlace[];
  /** Keywords without any meaning, each with its place. */
  readonly idle: readonly FaultPlace[];
  /** The place of a node, or of what is at `path` in it, as its owner wrote it. */
  readonly placeOf: (node: SchemaNode, ...path: readonly string[]) => SchemaPlace;
}

export interface LinkOptions {
  /** Whether `format` is an assertion. Default: an annotation, unless the dialect says otherwise. */
  readonly formats?: FormatUse;
  /** Reads a file to which a schema refers by its path, and which is not among the files. Default: there is none. */
  readonly read?: ReadFile;
}

/**
 * Links schema files of any layout and any draft from 04 on: every definition, every whole file that says something of a
 * value, and every other schema that a reference leads to becomes a definition with a name of its own. Files to which these
 * refer are added, if `read` finds them.
 */
export function linkFiles(files: readonly SchemaFile[], options: LinkOptions = {}): LinkedSchemas {
  const { parsed, faults } = parseFiles(files);
  const repeated = findRepeated(parsed.map(({ document, path }) => ({ id: document.$id, path })));
  if (faults.length + repeated.length > 0) return unread([...faults, ...repeated]);
  const set = new LoadedSet(parsed, options.read ?? (() => undefined));
  const known = new Set(files.map(({ path }) => path));
  const missing = set.missing.filter(({ path }) => !known.has(path));
  if (missing.length > 0) return linkFiles([...files, ...missing], options);
  // What follows from them would be said of parts that nobody wrote.
  if (set.faults.some(({ id }) => id === "schema")) return unread(set.faults);
  return new Linker(set, options).link();
}

/** The same; throws FileFault with all faults. */
export function readFiles(files: readonly SchemaFile[], options?: LinkOptions): LinkedSchemas {
  const linked = linkFiles(files, options);
  throwFaults(linked.faults);
  return linked;
}

function unread(faults: readonly FaultPlace[]): LinkedSchemas {
  const placeOf = (): SchemaPlace => ({ file: "", pointer: "" });
  return { schemas: [], definitions: new Map(), faults, idle: [], placeOf };
}

function findRepeated(
  files: readonly { readonly id: unknown; readonly path: string }[],
): FaultPlace[] {
  const paths = new Map<unknown, string>();
  return files.flatMap((file) => {
    const other = file.id === undefined ? undefined : paths.get(file.id);
    if (other !== undefined) return [invalid(file, `has the "$id" of ${other}`, "/$id")];
    paths.set(file.id, file.path);
    return [];
  });
}

/** A schema that becomes a definition. */
interface Subject {
  readonly location: SchemaLocation;
  readonly of: LoadedFile;
  readonly pointer: string;
}

class Linker {
  readonly #set: LoadedSet;
  readonly #options: LinkOptions;
  readonly #fileNames: ReadonlyMap<LoadedFile, string>;
  /** By identity of the schema. */
  readonly #subjects = new Map<string, Subject>();
  readonly #names = new Map<string, string>();
  readonly #places = new WeakMap<object, SchemaLocation>();
  readonly #faults: FaultPlace[];
  readonly #idle: FaultPlace[] = [];

  constructor(set: LoadedSet, options: LinkOptions) {
    this.#set = set;
    this.#options = options;
    this.#faults = [...set.faults];
    const { files } = set;
    const names = nameFiles(
      files.map(({ file }) => file.path),
      files.map(({ file }) => file.name),
    );
    this.#fileNames = new Map(files.map((each, index) => [each, names[index] ?? ""]));
    for (const file of files) this.#enterFile(file);
    for (const location of set.locations) {
      const { $ref } = Object(location.schema);
      if (typeof $ref === "string") this.#enter(location.set.resolve(location, $ref));
    }
    this.#nameAll();
  }

  link(): LinkedSchemas {
    const schemas = new Map(this.#set.files.map((each) => [each, this.#toSource(each)]));
    const byFile = new Map(this.#set.files.map((each): [LoadedFile, Definition[]] => [each, []]));
    for (const [id, { location, of, pointer }] of this.#subjects) {
      const schema = schemas.get(of);
      const name = this.#names.get(id);
      if (schema === undefined || name === undefined) continue;
      byFile.get(of)?.push({ name, schema, pointer, node: this.#toNode(location) });
    }
    const all = [...byFile.values()].flat();
    return {
      schemas: [...schemas.values()],
      definitions: new Map(all.map((each) => [each.name, each])),
      faults: this.#faults,
      idle: this.#idle,
      placeOf: (node, ...path) => {
        const location = this.#places.get(node);
        return location === undefined
          ? { file: "", pointer: "" }
          : this.#set.placeOf(location, ...path);
      },
    };
  }

  /** The types of a file: its root, if it is one, and its definitions. */
  #enterFile(of: LoadedFile): void {
    if (isType(of)) this.#enter(of.root);
    for (const location of definitionsOf(of.root)) this.#enter(location);
  }

  #enter(location: SchemaLocation): void {
    const of = this.#set.fileOf(location);
    const id = idOf(location);
    if (of === undefined || this.#subjects.has(id)) return;
    this.#subjects.set(id, { location, of, pointer: this.#set.placeOf(location).pointer });
  }

  #nameAll(): void {
    const subjects = [...this.#subjects];
    const names = nameTypes(
      subjects.map(([, { location, of, pointer }]) => {
        const file = this.#fileNames.get(of) ?? "";
        return { file, pointer, title: Object(location.schema).title };
      }),
    );
    for (const [index, [id]] of subjects.entries()) this.#names.set(id, names[index] ?? "");
  }

  #toNode(location: SchemaLocation): SchemaNode {
    return toNode(location, {
      refer: (target) => this.#names.get(idOf(target)),
      assertsFormat: (at) =>
        this.#options.formats === "assert" ||
        this.#set.fileOf(at)?.file.dialect.assertsFormat === true,
      enter: (node, at) => this.#places.set(node, at),
      refuse: ({ location: at, keyword, message }) => {
        this.#faults.push({ id: "keyword", ...this.#set.placeOf(at, keyword), message });
      },
      ignore: ({ location: at, keyword, message }) => {
        this.#idle.push({ id: "keyword", ...this.#set.placeOf(at, keyword), message });
      },
    });
  }

  #toSource(of: LoadedFile): SourceSchema {
    const { path, document, tier = "wire" } = of.file;
    const id = typeof document.$id === "string" && document.$id !== "" ? document.$id : path;
    return {
      file: path,
      name: this.#fileNames.get(of) ?? "",
      id: id.replaceAll(/\s/g, encodeURIComponent),
      canonicalHash: canonicalHash(document),
      document,
      entryTypes: this.#entryTypesOf(of),
      tier,
    };
  }

  #entryTypesOf(of: LoadedFile): string[] {
    const isTyped = ({ schema }: SchemaLocation): boolean =>
      isJsonObject(Object(schema).properties);
    const own = isType(of) ? [of.root] : [];
    const members = listMembers(of.root);
    const listed =
      own.length + members.length > 0
        ? [...own, ...members]
        : definitionsOf(of.root).filter(isTyped);
    const inFile = listed.filter((location) => this.#set.fileOf(location) === of);
    return [...new Set(inFile.flatMap((location) => this.#names.get(idOf(location)) ?? []))];
  }
}

/**
 * Whether the root of a file is a type by itself: it neither only holds definitions nor only refers to one. In our registry,
 * a union of types lists those of a line.
 */
function isType({ file, root }: LoadedFile): boolean {
  const { schema } = root;
  if (!constrains(schema)) return definitionsOf(root).length === 0;
  const [target] = targetsOf(root, [schema]);
  if (target !== undefined) return target.uri !== root.uri;
  const isList = file.tier !== undefined && listMembers(root).length > 0;
  return !isList || constrains(schema, ["anyOf"]);
}

/** What the root of a file refers to instead of being a type: one definition, or the members of a union, if all are such. */
function listMembers(root: SchemaLocation): SchemaLocation[] {
  const { anyOf, oneOf } = Object(root.schema);
  const members: unknown[] = [anyOf, oneOf].filter(Array.isArray).flat();
  const targets = targetsOf(root, members.length === 0 ? [root.schema] : members);
  return targets.length === members.length || members.length === 0 ? targets : [];
}

/** The definitions that schemas refer to; none for a schema that says more. */
function targetsOf(root: SchemaLocation, schemas: readonly unknown[]): SchemaLocation[] {
  return schemas.flatMap((schema) => {
    const { $ref } = Object(schema);
    if (typeof $ref !== "string" || !isSchema(schema) || constrains(schema, ["$ref"])) return [];
    return [root.set.resolve(root, $ref)];
  });
}

function definitionsOf(root: SchemaLocation): SchemaLocation[] {
  return DEFINITION_KEYWORDS.flatMap((keyword) => {
    const definitions: unknown = Object(root.schema)[keyword];
    const entries = isJsonObject(definitions) ? Object.entries(definitions) : [];
    // Before 2019-09, `$defs` is no keyword, and may hold anything.
    const names = entries.flatMap(([name, definition]) => (isSchema(definition) ? [name] : []));
    return names.map((name) => childOf(root, `/${keyword}/${toPointerToken(name)}`));
  });
}

function idOf({ uri, pointer }: SchemaLocation): string {
  return `${uri}#${pointer}`;
}
