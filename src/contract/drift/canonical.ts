import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type Artefact,
  type Config,
  type FormatUse,
  isConfig,
  type Lock,
  type RegisteredSchema,
  type Registry,
} from "#generated/index.js";
import type { Finding } from "../../base/findings/finding.js";
import { tryParseJson } from "../../base/json/value.js";
import { CONFIG_FILE, OWN_NAME, packageRoot } from "../../base/package.js";
import { quoteForShell } from "../../base/text.js";
import { type LoadedVersion, loadVersion } from "../compat/load-version.js";
import type { SchemaFiles } from "../compat/schema/schema-files.js";
import { listArtefacts } from "../schemas/artefacts.js";
import { formatUseOf, OWN_FORMATS } from "../schemas/format-use.js";
import { readRegistry } from "../schemas/registry.js";
import { isWire, REGISTRY_FILE } from "../schemas/registry-file.js";
import { listReferableTexts, type NamedText } from "../schemas/schema-id.js";
import { compareVersionNumbers, parseVersion, printVersion } from "../schemas/version.js";
import { listHeld } from "./lock.js";
import type { Tree } from "./trees/tree.js";

/** A version of a schema that the registry knows. */
export interface KnownVersion {
  readonly version: string;
  /** From the root of the registry. */
  readonly file: string;
  readonly text: string;
  /** Hash of what was published, if that is known and the file has changed since. */
  readonly published: string | undefined;
}

/** The version in the name of a published file, such as `v1.2.schema.json` or `wire.v1.json`. */
export const PUBLISHED_FILE = /(?:^|[/.@_-])v?(\d+(?:\.\d+){0,2})(?:\.schema)?\.json$/;

/** Whose schemas a command compares with, and where it reads them. */
interface CanonicalSource {
  readonly registry: Registry;
  /** Name of the repository that the registry belongs to. */
  readonly name: string;
  /** Whether the user named the registry on the command line. */
  readonly isNamed: boolean;
  /** Schemas that the registry lists and that cannot be read, which are left out of it, or that cannot be what they say. */
  readonly faults: readonly Finding[];
  /** Hashes of what was published as a file, by its path, where that has changed since. */
  readonly published: ReadonlyMap<string, string>;
  /** Path of the registry from the root. */
  readonly file: string;
  /** The registry as the user named it, for messages. Default: that path. */
  readonly shown: string;
}

/** The originals of all copies: a registry, and the files that it lists. */
export class Canonical implements CanonicalSource {
  /** The folder from which the registry names its files: a package, or the checkout of the schemas' owner. */
  readonly root: string;
  readonly registry: Registry;
  readonly name: string;
  readonly isNamed: boolean;
  readonly faults: readonly Finding[];
  readonly file: string;
  readonly shown: string;
  /** Whether the schemas are those of this package, whose records this program knows. */
  readonly isOwn: boolean;
  /** Whether `format` is asserted in the schemas: as in files beside the registry. */
  readonly formatUse: FormatUse;
  readonly published: ReadonlyMap<string, string>;
  readonly #loaded = new Map<string, LoadedVersion>();
  #texts: readonly NamedText[] | undefined;

  /** By default with the registry of this package, at `root`. Throws as `readRegistry` does. */
  constructor(root: string, source: Partial<CanonicalSource> = {}) {
    this.root = root;
    this.isOwn = source.registry === undefined || root === packageRoot();
    this.registry = source.registry ?? readRegistry(root);
    this.name = source.name ?? OWN_NAME;
    this.isNamed = source.isNamed ?? false;
    this.faults = source.faults ?? [];
    this.file = source.file ?? REGISTRY_FILE;
    this.shown = source.shown ?? this.file;
    this.formatUse = this.isOwn ? OWN_FORMATS : formatUseOf(root, this.file);
    this.published = source.published ?? new Map();
  }

  /** Paths of the originals, if a tree is the checkout that holds them; none for any other. */
  originalsIn({ folder }: Pick<Tree, "folder">): string[] {
    if (folder === undefined || realpathSync(folder) !== realpathSync(this.root)) return [];
    return this.registry.schemas.flatMap(({ file, released }) => [file, ...released]);
  }

  /**
   * The options with which a command in a folder uses the same registry: none if it does so by itself, because its
   * configuration names it. They begin with a space.
   */
  flagsIn(folder: string | undefined): string {
    const file = join(this.root, this.file);
    const configured = folder && readConfigured(folder)?.registry;
    const isKnown = configured ? isSamePath(join(folder, configured), file) : this.isOwn;
    return isKnown ? "" : ` --registry ${quoteForShell(file)}`;
  }

  /** The files of an artefact; those of an old version as listed in the lock. */
  filesOf(artefact: Artefact, lock: Lock | undefined): Artefact[] {
    const { kind, schema, version } = artefact;
    const isOld = kind !== "schema" && version !== this.presentVersion(schema);
    const held = isOld ? listHeld(artefact, lock) : [];
    return held.length > 0 ? held : listArtefacts(this.root, artefact);
  }

  /** The artefacts that are whole folders. */
  foldersOf(artefacts: readonly Artefact[]): Artefact[] {
    return artefacts.filter((artefact) =>
      listArtefacts(this.root, artefact).some(({ path }) => path !== artefact.path),
    );
  }

  /**
   * The original of an artefact, in its pinned version. Undefined if it is no longer available, such as code generated
   * from an old version.
   */
  read({ kind, schema, version, source }: Artefact): Buffer | undefined {
    if (kind === "schema") {
      const pinned = this.version(schema, version);
      return pinned && Buffer.from(pinned.text);
    }
    const file = join(this.root, source);
    if (version !== this.presentVersion(schema)) return undefined;
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined;
  }

  /** The current version of a schema in this package. */
  presentVersion(schema: string): string | undefined {
    return this.registry.schemas.find(({ name }) => name === schema)?.version;
  }

  /** Every version of a schema, the newest first. */
  versionsOf(schema: string): KnownVersion[] {
    const entry = this.registry.schemas.find(({ name }) => name === schema);
    if (entry === undefined) return [];
    const released = entry.released
      .map((file) => ({ file, version: parseVersion(PUBLISHED_FILE.exec(file)?.[1] ?? "") }))
      .sort((one, other) => compareVersionNumbers(other.version, one.version))
      .map(({ file, version }) => ({ version: printVersion(version), file }));
    const isReleased = released.some(({ version }) => version === entry.version);
    const present = isReleased ? [] : [{ version: entry.version, file: entry.file }];
    return [...present, ...released].map((each) => ({
      ...each,
      text: this.#read(each.file),
      published: this.published.get(each.file),
    }));
  }

  /** The newest version of a schema; undefined if it is not registered. */
  newest(schema: string): KnownVersion | undefined {
    return this.versionsOf(schema)[0];
  }

  /** A version of a schema by its number, such as `1.2.3`; undefined if it was never published. */
  version(schema: string, number: string): KnownVersion | undefined {
    return this.versionsOf(schema).find(({ version }) => version === number);
  }

  /** The texts of all schemas that a copy may refer to by `$id` or alias; the same list each time. */
  schemaTexts(): readonly NamedText[] {
    this.#texts ??= listReferableTexts(this.registry.schemas, (file) => this.#read(file));
    return this.#texts;
  }

  /** The schemas of records that repositories exchange. The tool's own files are not meant to be copied. */
  formats(): readonly RegisteredSchema[] {
    return this.registry.schemas.filter(isWire);
  }

  /**
   * A version of a schema, loaded with what it may refer to: schemas by their `$id`, and files by their paths. Throws
   * UserError (exit 3) as `loadVersion` does.
   */
  load(schema: string, { version, file, text }: KnownVersion): LoadedVersion {
    const name = `${schema} ${version}`;
    const files = this.filesOfSchema(file);
    const source = { name, text, others: this.schemaTexts(), files, formats: this.formatUse };
    const loaded = this.#loaded.get(name) ?? loadVersion(source);
    this.#loaded.set(name, loaded);
    return loaded;
  }

  /** The files that a schema may refer to by their path. */
  filesOfSchema(path: string): SchemaFiles {
    const read = (file: string): string | undefined =>
      existsSync(join(this.root, file)) ? this.#read(file) : undefined;
    return { path, roots: [], read };
  }

  #read(file: string): string {
    return readFileSync(join(this.root, file), "utf8");
  }
}

/** The configuration in a folder. One that cannot be read is reported elsewhere. */
export function readConfigured(folder: string): Config | undefined {
  const path = join(folder, CONFIG_FILE);
  try {
    if (!statSync(path).isFile()) return undefined;
    const value = tryParseJson(readFileSync(path, "utf8"));
    return isConfig(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether two paths lead to one file. */
export function isSamePath(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}
