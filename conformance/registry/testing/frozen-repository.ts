import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Registry } from "#generated/index.js";
import { packageRoot } from "../../../src/base/package.js";
import { schemaHashes } from "../../../src/contract/schemas/hashes.js";
import { REGISTRY_FILE } from "../../../src/contract/schemas/registry-file.js";

/**
 * A checkout with fixed contents: its schemas are those published as 1.0.0, and its registry and records are
 * committed beside this file. Tests of copies and versions use it, so that a new field does not break them.
 */
export interface FrozenRepository {
  readonly root: string;
  /** Edits the text of a file; throws if nothing changes. */
  edit(path: string, change: (text: string) => string): void;
  remove(): void;
}

const FROZEN = join(import.meta.dirname, "frozen");
const RECORDS = "fixtures/golden/data-loop/input.jsonl";
/** The sources of the copies; their contents do not matter. */
const GENERATED = ["generated/python/rollout_wire", "generated/typescript/rollout-wire.d.ts"];

export function createFrozenRepository(): FrozenRepository {
  const root = mkdtempSync(join(tmpdir(), "rollout-wire-frozen-"));
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  contents ??= readContents();
  for (const [path, content] of contents) write(path, content);
  const filter = (path: string): boolean => basename(path) !== "__pycache__";
  for (const path of GENERATED) {
    cpSync(join(packageRoot(), path), join(root, path), { recursive: true, filter });
  }
  return {
    root,
    edit(path, change) {
      const text = readFileSync(join(root, path), "utf8");
      const changed = change(text);
      if (changed === text) throw new Error(`the change of ${path} changes nothing`);
      writeFileSync(join(root, path), changed);
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** The hashes take longer than everything else, and every test makes a repository. */
let contents: ReadonlyMap<string, string | Buffer> | undefined;

function readContents(): Map<string, string | Buffer> {
  const registry: Registry = JSON.parse(readFileSync(join(FROZEN, "registry.json"), "utf8"));
  const files = new Map<string, string | Buffer>();
  const schemas = registry.schemas.map((entry) => {
    const bytes = readFrozenSchema(entry.name);
    for (const file of [entry.file, ...entry.released]) files.set(file, bytes);
    return { ...entry, hashes: schemaHashes(bytes) };
  });
  files.set(REGISTRY_FILE, `${JSON.stringify({ ...registry, schemas }, undefined, 2)}\n`);
  return files.set(RECORDS, readFileSync(join(FROZEN, "rollouts.jsonl")));
}

/** The first published version of a schema, which never changes. */
export function readFrozenSchema(name: string): Buffer {
  return readFileSync(join(packageRoot(), `schema/released/${name}/v1.schema.json`));
}
