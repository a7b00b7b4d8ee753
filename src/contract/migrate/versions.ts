import { readFileSync } from "node:fs";
import { join } from "node:path";
import { escapeControls } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { type LoadedVersion, loadVersion } from "../compat/load-version.js";
import { type Schema, subschemas } from "../compat/schema/subschemas.js";
import { formatUseOf } from "../schemas/format-use.js";
import { type RegistryEntry, readRegistry } from "../schemas/registry.js";
import { listReleases } from "../schemas/releases.js";
import { listReferableTexts } from "../schemas/schema-id.js";
import { parseVersion } from "../schemas/version.js";
import { parseMajor } from "./step.js";

/** The major versions of one schema in a package or checkout, each as it was last published, or is about to be. */
export class SchemaVersions {
  readonly root: string;
  readonly name: string;
  readonly #files: ReadonlyMap<number, string>;
  readonly #entries: readonly RegistryEntry[];
  readonly #loaded = new Map<number, LoadedVersion>();

  private constructor(root: string, entry: RegistryEntry, entries: readonly RegistryEntry[]) {
    this.root = root;
    this.name = entry.name;
    const releases = listReleases(root);
    const files = new Map<number, string>();
    for (const { name, version, file } of releases.toReversed()) {
      if (name === entry.name) files.set(version.major, file);
    }
    files.set(parseVersion(entry.version).major, entry.file);
    this.#files = new Map([...files].sort(([one], [other]) => one - other));
    this.#entries = entries;
  }

  /** Throws UserError (exit 2) if the registry at `root` has no schema of that name. */
  static open(root: string, name: string): SchemaVersions {
    const { schemas } = readRegistry(root);
    const entry = schemas.find((schema) => schema.name === name);
    if (entry !== undefined) return new SchemaVersions(root, entry, schemas);
    const known = schemas.map((schema) => schema.name).join(", ");
    throw new UserError(`${escapeControls(name)}: no such schema: use one of ${known}`, EXIT.usage);
  }

  /** In ascending order. */
  get majors(): readonly number[] {
    return [...this.#files.keys()];
  }

  has(major: number): boolean {
    return this.#files.has(major);
  }

  /** The fields by which records name the version that they follow, such as `schema_version`. */
  findVersionFields(): ReadonlySet<string> {
    const roots = this.majors.map((major) => this.load(major).document.schema);
    return new Set(roots.flatMap((schema) => [...findVersionFields(schema, this.name)]));
  }

  /** Throws RangeError if there is no such version. */
  load(major: number): LoadedVersion {
    const known = this.#loaded.get(major);
    if (known !== undefined) return known;
    const name = this.#files.get(major);
    if (name === undefined) throw new RangeError(`${this.name} has no version ${major}`);
    const read = (file: string): string => readFileSync(join(this.root, file), "utf8");
    const others = listReferableTexts(this.#entries, read);
    const formats = formatUseOf(this.root, name);
    const loaded = loadVersion({ name, text: read(name), others, formats });
    this.#loaded.set(major, loaded);
    return loaded;
  }
}

/** The properties in a schema whose constant is a version of the schema `name`. */
function* findVersionFields(schema: Schema, name: string): Generator<string> {
  for (const [, child, keyword, property] of subschemas(schema)) {
    const text: unknown = typeof child === "boolean" ? undefined : child.const;
    const isVersion = typeof text === "string" && parseMajor(text)?.name === name;
    if (keyword === "properties" && property !== undefined && isVersion) yield property;
    yield* findVersionFields(child, name);
  }
}
