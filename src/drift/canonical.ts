import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Artefact, Lock, Registry, Repository } from "#generated/index.js";
import { listArtefacts } from "../schemas/artefacts.js";
import { readRegistry } from "../schemas/registry.js";
import { listReleases } from "../schemas/releases.js";
import { printVersion } from "../schemas/version.js";
import { listHeld } from "./lock.js";

/** A version of a schema that this package knows. */
export interface KnownVersion {
  readonly version: string;
  readonly text: string;
}

/** The originals of all copies: the registry, and the files of this package. */
export class Canonical {
  /** The package or checkout that it reads. */
  readonly root: string;
  readonly registry: Registry;

  /** Throws as `readRegistry` does. */
  constructor(root: string) {
    this.root = root;
    this.registry = readRegistry(root);
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
    const released = listReleases(this.root, schema).map(({ version, file }) => ({
      version: printVersion(version),
      text: readFileSync(join(this.root, file), "utf8"),
    }));
    if (entry === undefined || released.some(({ version }) => version === entry.version)) {
      return released;
    }
    return [
      { version: entry.version, text: readFileSync(join(this.root, entry.file), "utf8") },
      ...released,
    ];
  }

  /** The newest version of a schema; undefined if it is not registered. */
  newest(schema: string): KnownVersion | undefined {
    return this.versionsOf(schema)[0];
  }

  /** A version of a schema by its number, such as `1.2.3`; undefined if it was never published. */
  version(schema: string, number: string): KnownVersion | undefined {
    return this.versionsOf(schema).find(({ version }) => version === number);
  }

  /** The texts of all schemas that a copy may refer to, current versions first. */
  schemaTexts(): string[] {
    const folder = join(this.root, "schema");
    if (!existsSync(folder)) return [];
    const present = readdirSync(folder)
      .filter((file) => file.endsWith(".schema.json"))
      .map((file) => `schema/${file}`);
    const released = listReleases(this.root).map(({ file }) => file);
    return [...present, ...released].map((file) => readFileSync(join(this.root, file), "utf8"));
  }
}
