import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FixtureCase, isFixtureSuite, isRegistry, type Registry } from "#generated/index.js";
import { printSuite } from "../conformance/fixtures/suite.js";
import { isJsonObject, type JsonObject } from "../src/base/json/value.js";
import { copyRepository, type RepositoryCopy } from "../src/base/testing/copy-repository.js";
import { isNightly } from "../src/base/testing/run-count.js";
import { REPO_ROOT } from "./run-script.js";

/** The tests nearest to the schemas, which run with all other gates; in the nightly run, all tests do. */
const NEAR = [
  "schema",
  "conformance/fixtures",
  "src/contract/schemas",
  "src/rollouts/wire/validation",
  "src/rollouts/wire/scoring",
];

const SCHEMA = "schema/rollout-wire.schema.json";
const REGISTRY = "schema/registry.json";

/** Ends a hang. */
const TIMEOUT = 3_600_000;

let copy: RepositoryCopy;

// A migration is tried on the records of the last commit, so the copy has one.
beforeEach(() => {
  copy = copyRepository(git(REPO_ROOT, "ls-files").trimEnd().split("\n"));
  git(copy.root, "init", "--quiet");
  commit("before");
});

afterEach(() => copy.remove());

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8" });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(copy.root, path)), { recursive: true });
  writeFileSync(join(copy.root, path), text);
}

function editAll(paths: readonly string[], change: (text: string) => string): void {
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) copy.edit(path, change);
}

/** Files of the copy that contain `text`. */
function filesWith(text: string, ...paths: string[]): string[] {
  return git(copy.root, "grep", "-lF", text, "--", ...paths)
    .trimEnd()
    .split("\n");
}

function editRegistry(change: (registry: Registry) => object): void {
  copy.edit(REGISTRY, (text) => {
    const registry: unknown = JSON.parse(text);
    if (!isRegistry(registry)) throw new Error("the registry is not valid");
    return `${JSON.stringify(change(registry), undefined, 2)}\n`;
  });
}

type SchemaEntry = Registry["schemas"][number];

function editEntry(name: string, change: (entry: SchemaEntry) => SchemaEntry): SchemaEntry {
  let changed: SchemaEntry | undefined;
  editRegistry((registry) => ({
    ...registry,
    schemas: registry.schemas.map((entry) => {
      if (entry.name !== name) return entry;
      changed = change(entry);
      return changed;
    }),
  }));
  if (changed === undefined) throw new Error(`the registry has no ${name}`);
  return changed;
}

/** Version numbers of a schema in the registry after a change of that kind. */
function raise(version: string, kind: "major" | "minor" | "patch"): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (kind === "major") return `${major + 1}.0.0`;
  return kind === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Adds a property to `RolloutBranch`, described as CONTRIBUTING asks. */
function addModel(): void {
  copy.edit(SCHEMA, (text) =>
    text.replace(
      /"RolloutBranch": \{[\s\S]*?"properties": \{/,
      `$&
        "model": {
          "description": "Name of the model that produced the branch, as its provider spells it. May be empty.",
          "type": "string"
        },`,
    ),
  );
}

/** Adds a schema with one record type. */
function addSchema(): void {
  const name = "note";
  const id = "urn:rollout-wire:note:v1";
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    title: "note",
    description: "What a reviewer wrote about a rollout.",
    anyOf: [{ $ref: "#/$defs/RolloutNote" }],
    $defs: {
      RolloutNote: {
        description: "One remark of a reviewer about a rollout.",
        type: "object",
        properties: {
          note_version: {
            description: "Version of the format that the record follows.",
            const: "note/v1",
          },
          text: { description: "The remark. Not empty.", type: "string", minLength: 1 },
        },
        required: ["note_version", "text"],
      },
    },
  };
  write(`schema/${name}.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`);
  const entry = {
    id,
    name,
    version: "1.0.0",
    file: `schema/${name}.schema.json`,
    released: [],
    owner: "wasmagent-js",
    producers: ["wasmagent-js"],
    consumers: ["trace-pipeline"],
    stability: "experimental",
  };
  editRegistry((registry) => {
    const schemas = [...registry.schemas, entry].sort((a, b) => (a.file < b.file ? -1 : 1));
    return { ...registry, schemas };
  });
}

/** Gives a model to every record of a suite that is spelled out. */
function giveModel(text: string): string {
  const give = (value: unknown) =>
    isJsonObject(value) && "rollout_id" in value ? { ...value, model: "m" } : value;
  const giveAll = (values: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, give(value)]));
  const move = (each: FixtureCase): FixtureCase => ({
    ...each,
    ...("record" in each && { record: give(each.record) }),
    ...(each.set !== undefined && { set: giveAll(each.set) }),
    ...(each.rollout !== undefined && {
      rollout: each.rollout.map((branch) => ({ ...branch, model: "m" })),
    }),
    ...(each.text !== undefined && { text: each.text.replace(/^\{/, '$&"model":"m",') }),
  });
  const suite: unknown = JSON.parse(text);
  if (!isFixtureSuite(suite)) throw new Error("the suite is not valid");
  const { valid, invalid } = suite;
  const base = give(suite.base);
  return printSuite({ ...suite, base, valid: valid.map(move), invalid: invalid.map(move) });
}

/**
 * Runs a command of the book in a process of its own, because it runs on the generated code of the copy. It does
 * not see the settings of this test run.
 */
function succeed(program: string, ...args: string[]): void {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(CI$|VITEST|ROLLOUT_WIRE_)/.test(name),
  );
  const env = Object.fromEntries(own);
  const argv = ["--import", "tsx", program, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: copy.root,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  expect({ status, output: status === 0 ? "" : stdout + stderr }).toEqual({
    status: 0,
    output: "",
  });
}

const generate = () => succeed("scripts/cli.ts", "generate");

/** The end of every change of a schema. */
function release(): void {
  succeed("scripts/cli.ts", "check", "--write-fixtures");
  succeed("scripts/release-schema.ts");
}

function commit(message: string): void {
  git(copy.root, "add", "--all");
  const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  git(copy.root, ...author, "commit", "--quiet", "--message", message);
}

/** An optional field, and a record type in a new schema. */
function makeMinorChanges(): void {
  addModel();
  editEntry("rollout-wire", (entry) => ({ ...entry, version: raise(entry.version, "minor") }));
  addSchema();
  generate();
  release();
}

/** The optional field becomes required, which is a new major version. Returns the new version id. */
function makeMajorChange(): string {
  copy.edit(SCHEMA, (text) =>
    text.replace(/"RolloutBranch": \{[\s\S]*?"required": \[/, '$&\n        "model",'),
  );

  let older = 0;
  const { version } = editEntry("rollout-wire", (entry) => {
    const next = raise(entry.version, "major");
    older = Number.parseInt(entry.version, 10);
    return { ...entry, version: next, id: entry.id.replace(/\d+$/, `${older + 1}`) };
  });
  const newer = older + 1;
  const [old, current] = [`rollout-wire/v${older}`, `rollout-wire/v${newer}`];
  /** In constants of records, and in the `$id` with the references to it. */
  const rename = (text: string): string =>
    text.replaceAll(old, current).replaceAll(`:rollout-wire:v${older}`, `:rollout-wire:v${newer}`);
  editAll([SCHEMA, "schema/training-record.schema.json"], rename);
  editEntry("training-record", (entry) => ({ ...entry, version: raise(entry.version, "patch") }));
  const page = current.replace("/", "-");
  const types = "Every `RolloutBranch` and `RolloutBranchRecord` names its `model`.";
  write(`docs/migrations/${page}.md`, `# rollout-wire ${version}\n\n${types}\n`);
  const upcaster = `schema/upcasters/rollout-wire-v${older}-v${newer}.ts`;
  generate();
  succeed("scripts/new-upcaster.ts", "rollout-wire");
  copy.edit(upcaster, (text) => text.replace("...record,", 'model: "", ...record,'));
  succeed("node_modules/@biomejs/biome/bin/biome", "check", "--write", "schema/upcasters");

  // Each writer, and each test that compares a whole record.
  const constant = "schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,";
  editAll(filesWith(constant, "src", "scripts/bench"), (text) =>
    text.replace(/^( *)schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,/m, '$&\n$1model: "",'),
  );
  editAll(["src/rollouts/wire/scoring/testing/create-captured.ts"], (text) => {
    return text.replace("session_id:", 'model: "",\n    session_id:');
  });
  editAll(filesWith(old, "fixtures/suites", "fixtures/golden/*/input.jsonl"), rename);
  editAll(
    ["RolloutBranch", "RolloutBranchRecord"].map((type) => `fixtures/suites/${type}.json`),
    giveModel,
  );
  editAll(filesWith('"rollout_id"', "fixtures/golden/*/input.jsonl"), (text) => {
    return text.replaceAll(/\}$/gm, ',"model":""}');
  });
  succeed("scripts/cli.ts", "check", "--write-fixtures");
  succeed("scripts/cli.ts", "check", "--write-golden");
  succeed("node_modules/vitest/vitest.mjs", "run", "src/cli/commands/import.test.ts", "-u");
  release();
  return current;
}

test("two releases of schemas, after which everything is green", { timeout: TIMEOUT }, () => {
  makeMinorChanges();
  commit("minor changes");
  const current = makeMajorChange();
  succeed("scripts/test.ts", "--reporter=dot", ...(isNightly ? [] : NEAR));

  const golden = "fixtures/golden/support-desk/input.jsonl";
  write("old.jsonl", git(copy.root, "show", `HEAD:${golden}`));
  succeed("scripts/cli.ts", "migrate", "--to", current, "old.jsonl", "--output", "new.jsonl");
  succeed("scripts/cli.ts", "validate", "new.jsonl");
});
