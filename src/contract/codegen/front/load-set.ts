import type { FaultPlace } from "../../../base/findings/finding.js";
import { toPointerToken } from "../../../base/json/pointer.js";
import { DRAFT_2020_12, toOriginalPointer } from "../../compat/schema/dialects.js";
import { breakEndless } from "../../compat/schema/endless.js";
import { loadReferences, type Unresolved } from "../../compat/schema/load-references.js";
import { findMetaschema } from "../../compat/schema/metaschemas.js";
import type { PartFault } from "../../compat/schema/parse-schema.js";
import { childOf, HOLE, type SchemaLocation, SchemaSet } from "../../compat/schema/schema-set.js";
import { subschemas } from "../../compat/schema/subschemas.js";
import { referencesOf } from "../../compat/schema/walks.js";
import type { SchemaPlace } from "../../schemas/definitions.js";
import { type ParsedFile, type SchemaFile, toNamedTexts, uriOf } from "./parse-files.js";

/** A file, and its schema in draft 2020-12, whose references lead to their targets. */
export interface LoadedFile {
  readonly file: ParsedFile;
  readonly root: SchemaLocation;
}

/** Reads the file at a path to which a schema refers; undefined if there is none. */
export type ReadFile = (path: string) => Buffer | undefined;

/** The URI of what is no file: it refers to all files. */
const START = "schema:/";

/** A part of a file that has its own `$id`, or a whole file: its place there. */
interface Resource {
  readonly of: LoadedFile;
  readonly pointer: string;
}

/** Schema files as one set, in which each reference leads to its target. */
export class LoadedSet {
  readonly files: readonly LoadedFile[];
  /** Every schema of the files, in order; then what else references lead to. */
  readonly locations: readonly SchemaLocation[];
  /** Parts that their dialect does not allow, and references that lead nowhere. */
  readonly faults: readonly FaultPlace[];
  /** Files to which these refer, and which are not among them. */
  readonly missing: readonly SchemaFile[];
  readonly #resources = new Map<string, Resource>();

  constructor(files: readonly ParsedFile[], read: ReadFile) {
    const set = new SchemaSet();
    const found = new Map<string, Buffer>();
    const parts: PartFault[] = [];
    const references = files.map((_, index) => [index, { $ref: uriOf(index) }]);
    const start = set.add({ $defs: Object.fromEntries(references) }, START);
    const parsed = { schema: start.schema, dialect: DRAFT_2020_12, faults: parts };
    const unresolved = loadReferences(start, parsed, {
      others: toNamedTexts(files),
      files: {
        path: "",
        roots: ["."],
        read(path) {
          const bytes = read(path);
          if (bytes !== undefined) found.set(path, bytes);
          return bytes?.toString("utf8");
        },
      },
      isWhole: true,
    });
    breakEndless(set);
    this.files = files.map((file, index) => {
      const { schema } = childOf(start, `/$defs/${index}`);
      return { file, root: set.resolve(start, String(Object(schema).$ref)) };
    });
    for (const of of this.files) this.#enter(of.root, { of, pointer: "" });
    this.locations = this.#walk();
    this.missing = this.#findMissing(found);
    this.faults = [
      ...parts.map(({ name, ...part }) => ({ id: "schema", file: name, ...part })),
      ...this.#findOpen(unresolved),
    ];
  }

  /** The place of a schema, or of what is at `path` in it, as its owner wrote it. */
  placeOf(location: SchemaLocation, ...path: readonly string[]): SchemaPlace {
    const resource = this.#resourceOf(location);
    const pointer = location.pointer + path.map((token) => `/${toPointerToken(token)}`).join("");
    if (resource === undefined) return { file: location.uri, pointer };
    const { file, root } = resource.of;
    return { file: file.path, pointer: toOriginalPointer(root.schema, resource.pointer + pointer) };
  }

  /** The file that a schema is in; undefined for one that no file has. */
  fileOf(location: SchemaLocation): LoadedFile | undefined {
    return this.#resourceOf(location)?.of;
  }

  /** A copy for another dynamic scope stands for its original. */
  #resourceOf({ uri }: SchemaLocation): Resource | undefined {
    return this.#resources.get(uri.replace(/\?scope\d+$/, ""));
  }

  /** Notes where the resources of a file begin in it. */
  #enter(location: SchemaLocation, { of, pointer }: Resource): void {
    if (!this.#resources.has(location.uri)) this.#resources.set(location.uri, { of, pointer });
    for (const [at] of subschemas(location.schema)) {
      const child = childOf(location, at);
      const below = child.uri === location.uri ? pointer : pointer + location.pointer + at;
      this.#enter(child, { of, pointer: below });
    }
  }

  #walk(): SchemaLocation[] {
    const seen = new Map<unknown, SchemaLocation>();
    const waiting: SchemaLocation[] = [];
    const visit = (location: SchemaLocation): void => {
      const { schema, set } = location;
      if (typeof schema === "boolean" || seen.has(schema)) return;
      seen.set(schema, location);
      for (const [at] of subschemas(schema)) visit(childOf(location, at));
      for (const [, reference] of referencesOf(location)) {
        waiting.push(set.resolve(location, reference));
      }
    };
    for (const { root } of this.files) visit(root);
    // The list grows while it is walked.
    for (const target of waiting) if (!isHole(target)) visit(target);
    return [...seen.values()];
  }

  #findMissing(found: ReadonlyMap<string, Buffer>): SchemaFile[] {
    const strange = this.locations.filter((location) => this.fileOf(location) === undefined);
    const names = new Set(strange.map((each) => each.set.describe({ ...each, pointer: "" })));
    return [...names].flatMap((name) => {
      // That of a part with an `$id` has it after the path.
      const path = [...found.keys()].find((each) => `${name} (`.startsWith(`${each} (`));
      const bytes = found.get(path ?? "");
      if (path !== undefined && bytes !== undefined) return [{ path, bytes }];
      const metaschema = findMetaschema(name);
      return metaschema === undefined ? [] : [{ path: name, bytes: Buffer.from(metaschema) }];
    });
  }

  /** The references that lead to no schema, or back to themselves. */
  *#findOpen(unresolved: ReadonlyMap<string, Unresolved>): Generator<FaultPlace> {
    for (const location of this.locations) {
      for (const [keyword, reference] of referencesOf(location)) {
        const target = location.set.resolve(location, reference);
        if (!isHole(target)) continue;
        const open = unresolved.get(target.uri)?.text;
        const said =
          open === undefined
            ? { id: "recursion", message: "refers to itself, and says nothing of any value" }
            : { id: "ref", message: `leads nowhere: ${open} (nothing is ever fetched)` };
        yield { ...this.placeOf(location, keyword), ...said };
      }
    }
  }
}

/** Whether a location stands for a schema that nobody has. */
export function isHole({ uri }: SchemaLocation): boolean {
  return uri.startsWith(`${HOLE}?`);
}
