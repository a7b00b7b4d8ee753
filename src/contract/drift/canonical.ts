import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Artefact, Lock, Registry, Repository } from "#generated/index.js";
import { FileFault, toFindings } from "../../base/findings/finding.js";
import { OWN_NAME, packageRoot } from "../../base/package.js";
import { UserError } from "../../base/user-error.js";
import { listArtefacts } from "../schemas/artefacts.js";
import { readJsonFile } from "../schemas/read-json-file.js";
import { readRegistry } from "../schemas/registry.js";
import { listReferableTexts } from "../schemas/schema-id.js";
import { compareVersionNumbers, parseVersion, printVersion } from "../schemas/version.js";
import { listHeld } from "./lock.js";

/** A version of a schema that the registry knows. */
export interface KnownVersion {
  readonly version: string;
  /** From the root of the registry. */
  readonly file: string;
  readonly text: string;
}

/** The version in the name of a published file, such as `v1.2.schema.json` or `wire.v1.json`. */
const PUBLISHED_FILE = /(?:^|[/.@_-])v?(\d+(?:\.\d+){0,2})(?:\.schema)?\.json$/;

/** The originals of all copies: a registry, and the files that it lists. */
export class Canonical {
  /** The folder from which the registry names its files: a package, or the checkout of the schemas' owner. */
  readonly root: string;
  readonly registry: Registry;
  /** Name of the repository that the registry belongs to. */
  readonly name: string;
  /** The options of a command line that uses the same registry, from any folder. */
  readonly options: readonly string[];

  /** Reads the registry of this package at `root`, or another one from there. Throws as `readRegistry` does. */
  constructor(root: string, other?: string) {
    this.root = root;
    this.registry = readRegistry(root, other);
    this.name = other === undefined ? OWN_NAME : basename(root);
    this.options = other === undefined ? [] : ["--registry", join(root, other)];
  }

  /** A registered repository; undefined if it is not registered. */
  repository(name: string): Repository | undefined {
    return this.registry.repositories.find((each) => each.name === name);
  }

  /** The copies of a repository as registered: a folder is one copy. */
  registeredFor(repository: string): readonly Artefact[] {
    return this.repository(repository)?.artefacts ?? [];
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
    if (version === this.presentVersion(schema)) return readFileSync(join(this.root, source));
    if (kind !== "schema") return undefined;
    const pinned = this.version(schema, version);
    return pinned && Buffer.from(pinned.text);
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
    return [...present, ...released].map((each) => ({ ...each, text: this.#read(each.file) }));
  }

  /** The newest version of a schema; undefined if it is not registered. */
  newest(schema: string): KnownVersion | undefined {
    return this.versionsOf(schema)[0];
  }

  /** A version of a schema by its number, such as `1.2.3`; undefined if it was never published. */
  version(schema: string, number: string): KnownVersion | undefined {
    return this.versionsOf(schema).find(({ version }) => version === number);
  }

  /** The texts of all schemas that a copy may refer to by `$id` or alias. */
  schemaTexts(): string[] {
    return listReferableTexts(this.registry.schemas, (file) => this.#read(file));
  }

  #read(file: string): string {
    return readFileSync(join(this.root, file), "utf8");
  }
}

/**
 * Opens the registry file that the user named, by default that of this package. Its files are named from the nearest
 * folder, its own or one above, that has all registered schemas. Throws UserError (exit 3) if it, or a schema that it
 * lists, cannot be read.
 */
export function openCanonical(named: string | undefined, cwd: string): Canonical {
  if (named === undefined) return new Canonical(packageRoot());
  const path = resolve(cwd, named);
  const folder = dirname(path);
  const { schemas } = read(folder, () => readRegistry(folder, basename(path)));
  const [first] = schemas;
  if (first === undefined) throw new UserError(`${named}: registers no schema`);
  const root = listParents(folder).find((each) =>
    schemas.every(({ file }) => existsSync(join(each, file))),
  );
  if (root === undefined) {
    const missing = schemas.find(({ file }) => !existsSync(join(folder, file))) ?? first;
    throw new UserError(
      `${named}: no folder above it has ${missing.file}, which it registers: name the files from the root of the repository`,
    );
  }
  for (const { name, file, released } of schemas) {
    for (const published of released.filter((each) => !PUBLISHED_FILE.test(each))) {
      throw new UserError(
        `${named}: ${published}, published of ${name}, must end in its version, such as v1.2.schema.json`,
      );
    }
    for (const each of [file, ...released]) read(root, () => readJsonFile(root, each));
  }
  return new Canonical(root, relative(root, path));
}

/** Gives the fault of a file its position, as one line. */
function read<T>(root: string, readFile: () => T): T {
  try {
    return readFile();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const [finding] = toFindings(root, [error.place]);
    if (finding === undefined) throw error;
    const { file, line, column, pointer, message } = finding;
    const parts = [`${file}:${line}:${column}`, pointer, message].filter((part) => part !== "");
    throw new UserError(parts.join(" "));
  }
}

/** A folder and those above it, the nearest first. */
function listParents(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listParents(above)];
}
