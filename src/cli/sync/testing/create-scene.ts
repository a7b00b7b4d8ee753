import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ArtefactKind, Config, Registry } from "#generated/index.js";
import { createFrozenRepository } from "../../../../conformance/registry/testing/frozen-repository.js";
import { listFiles } from "../../../base/files/folders.js";
import { CONFIG_FILE } from "../../../base/package.js";
import { createTestFolder, type Transcript } from "../../../base/testing/run-in-folder.js";
import {
  createConfig,
  listLayout,
  writeConfiguration,
} from "../../../contract/drift/testing/layouts.js";

/** Where wasmagent-js stores its copies. */
export const SCHEMA = "packages/core/src/ranking/schemas/rollout-wire.schema.json";
export const TYPES = "packages/core/src/ranking/rollout-wire.d.ts";
export const FIXTURE = "fixtures/data-loop/rollout-branches.v1.jsonl";
export const LOCK = "rollout-wire.lock.json";

/** A checkout as the source of copies, and a git repository of wasmagent-js beside it that has none yet. */
export interface Scene {
  readonly source: string;
  readonly repo: string;
  /** Runs `sync` for that repository. */
  sync(...argv: string[]): Promise<Transcript>;
  /** The same with a given `--repo`. */
  syncTo(...argv: string[]): Promise<Transcript>;
  read(path: string): string;
  write(path: string, text: string): void;
  /** Changes the text of a file in the repository. Throws if nothing changes. */
  edit(path: string, change: (text: string) => string): void;
  readSource(path: string): string;
  editSource(path: string, change: (text: string) => string): void;
  editRegistry(change: (registry: Registry) => Registry): void;
  /** Changes what the configuration of the repository says. */
  configure(change: (config: Config) => Config): void;
  /** Raises rollout-wire to 1.1.0, by default with one more optional property, and updates all pins. */
  raise(change?: (schema: string) => string): void;
  /** Gives the repository the name and the copies of another one of the documents, and copies them. */
  adopt(name: string): Promise<Transcript>;
  /** Configures them only. */
  become(name: string): void;
  /** Pins the artefacts of the repository, or only the given `kinds`, at a version. */
  pin(version: string, kinds?: readonly ArtefactKind[]): void;
  /** All files of the repository with their texts, except git's own and its configuration. */
  files(): Readonly<Record<string, string>>;
  remove(): void;
}

const REGISTRY = "schema/registry.json";

export function createScene(): Scene {
  const copy = createFrozenRepository();
  const folder = createTestFolder();
  const repo = join(folder.path, "wasmagent-js");
  mkdirSync(repo);
  execFileSync("git", ["init", "--quiet"], { cwd: repo });
  writeConfiguration(repo, createConfig("wasmagent-js", listLayout("wasmagent-js", "1.0.0")));
  const syncTo = (...argv: string[]): Promise<Transcript> =>
    folder.run(["sync", "--registry", `${copy.root}/schema/registry.json`, "--repo", ...argv]);
  const edit = (path: string, change: (text: string) => string): void => {
    const text = readFileSync(path, "utf8");
    const changed = change(text);
    if (changed === text) throw new Error(`the change of ${path} changes nothing`);
    writeFileSync(path, changed);
  };
  const scene: Scene = {
    source: copy.root,
    repo,
    sync: (...argv) => syncTo("wasmagent-js=wasmagent-js", ...argv),
    syncTo,
    read: (path) => readFileSync(join(repo, path), "utf8"),
    write(path, text) {
      mkdirSync(dirname(join(repo, path)), { recursive: true });
      writeFileSync(join(repo, path), text);
    },
    edit: (path, change) => edit(join(repo, path), change),
    readSource: (path) => readFileSync(join(copy.root, path), "utf8"),
    editSource: copy.edit,
    editRegistry: (change) =>
      copy.edit(REGISTRY, (text) => JSON.stringify(change(JSON.parse(text) as Registry))),
    raise(change = addProperty) {
      copy.edit("schema/rollout-wire.schema.json", change);
      copy.edit("generated/typescript/rollout-wire.d.ts", (text) => `${text}// 1.1.0\n`);
      copy.edit(REGISTRY, (text) => raiseVersion(text));
      scene.pin("1.1.0");
    },
    configure(change) {
      scene.edit(CONFIG_FILE, (text) => JSON.stringify(change(JSON.parse(text) as Config)));
    },
    become(name) {
      writeConfiguration(repo, createConfig(name, listLayout(name, "1.0.0")));
    },
    adopt(name) {
      scene.become(name);
      return syncTo(`${name}=wasmagent-js`);
    },
    pin(version, kinds = ["schema", "generated", "fixture"]) {
      scene.configure((config) => ({
        ...config,
        artefacts: config.artefacts.map((artefact) =>
          kinds.includes(artefact.kind) ? { ...artefact, version } : artefact,
        ),
      }));
    },
    files() {
      const paths = existsSync(repo) ? listFiles(repo) : [];
      const own = paths.filter((path) => !path.startsWith(".git/") && path !== CONFIG_FILE);
      return Object.fromEntries(own.map((path) => [path, scene.read(path)]));
    },
    remove() {
      copy.remove();
      folder.remove();
      rmSync(repo, { recursive: true, force: true });
    },
  };
  return scene;
}

function addProperty(text: string): string {
  const anchor = '"rank": {';
  return text.replace(anchor, `"note": {"description": "A note.", "type": "string"},\n${anchor}`);
}

function raiseVersion(text: string): string {
  const registry = JSON.parse(text) as Registry;
  const isRaised = (name: string): boolean => name === "rollout-wire";
  const schemas = registry.schemas.map((entry) =>
    isRaised(entry.name) ? { ...entry, version: "1.1.0" } : entry,
  );
  return JSON.stringify({ ...registry, schemas }, null, 2);
}
