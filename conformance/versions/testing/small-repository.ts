import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Approval } from "#generated/index.js";
import { type Registry, readRegistry } from "../../../src/contract/schemas/registry.js";
import { toReleasedFile } from "../../../src/contract/schemas/releases.js";
import { parseVersion } from "../../../src/contract/schemas/version.js";

const HOST = "https://example.org/schemas";

/** A schema with these definitions. */
export type Definitions = Readonly<Record<string, object>>;

/** A repository with one schema, `thing`, whose record types are all of its definitions. */
export class SmallRepository {
  readonly root = mkdtempSync(join(tmpdir(), "rollout-wire-small-"));
  readonly #released: string[] = [];

  constructor() {
    this.approve();
  }

  /** Publishes a version. */
  publish(version: string, definitions: Definitions): this {
    const file = toReleasedFile("thing", parseVersion(version));
    this.write(file, toDocument(version, definitions));
    this.#released.push(file);
    return this;
  }

  /**
   * Sets the current schema and its version in the registry; `idOf` is the version whose major number the
   * `$id` has.
   */
  present(version: string, definitions: Definitions, idOf = version): this {
    const file = "schema/thing.schema.json";
    this.write(file, toDocument(idOf, definitions));
    const { $id: id } = toDocument(idOf, definitions);
    const people = { owner: "o", producers: [], consumers: [], stability: "stable" };
    const entry = { id, name: "thing", version, file, released: this.#released, ...people };
    this.write("schema/registry.json", { schemas: [entry] });
    return this;
  }

  approve(...approvals: readonly Approval[]): this {
    this.write("schema/approvals.json", { approvals });
    return this;
  }

  get registry(): Registry {
    return readRegistry(this.root);
  }

  write(file: string, content: unknown): void {
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    const text =
      typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`;
    writeFileSync(join(this.root, file), text);
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

function toDocument(version: string, definitions: Definitions) {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${HOST}/thing/v${parseVersion(version).major}`,
    anyOf: Object.keys(definitions).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: definitions,
  };
}
