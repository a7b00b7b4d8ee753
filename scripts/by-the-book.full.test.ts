import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRegistry, type Registry } from "#generated/index.js";
import { ALL_PARTS, copyRepository, type RepositoryCopy } from "./testing/copy-repository.js";

const SCHEMA = "schema/rollout-wire.schema.json";
const REGISTRY = "schema/registry.json";

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository([...ALL_PARTS, "docs", "README.md", "vitest.config.ts"]);
});

afterEach(() => copy.remove());

function readRegistry(): Registry {
  const registry: unknown = JSON.parse(readFileSync(join(copy.root, REGISTRY), "utf8"));
  if (!isRegistry(registry)) throw new Error("the registry is not valid");
  return registry;
}

function writeRegistry(registry: object): void {
  writeFileSync(join(copy.root, REGISTRY), `${JSON.stringify(registry, undefined, 2)}\n`);
}

/** Puts an entry before all others of the change log. */
function enter(entry: string): void {
  copy.edit("CHANGELOG.md", (text) => text.replace(/^- `/m, `${entry}\n- \``));
}

/** What CONTRIBUTING asks for after each change of a schema. */
function follow(): void {
  succeed("scripts/generate.ts");
  succeed("scripts/new-fixture.ts", "--missing");
  succeed("scripts/release-schema.ts");
  succeed("node_modules/typescript/bin/tsc");
  succeed("scripts/cli.ts", "check");
}

/** The program runs on the generated code of the copy, so in a process of its own. */
function succeed(program: string, ...args: string[]): void {
  const argv = ["--import", "tsx", program, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: copy.root,
    encoding: "utf8",
  });
  expect({ status, output: status === 0 ? "" : stdout + stderr }).toEqual({
    status: 0,
    output: "",
  });
}

test("an optional field", () => {
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
  const registry = readRegistry();
  const [major, minor] = versionOf(registry, "rollout-wire");
  const version = `${major}.${minor + 1}.0`;
  writeRegistry({
    ...registry,
    schemas: registry.schemas.map((entry) =>
      entry.name === "rollout-wire" ? { ...entry, version } : entry,
    ),
  });
  enter(`- \`rollout-wire\` ${version}: \`RolloutBranch.model\`.`);
  follow();
});

test("a record type in a new schema", () => {
  const name = "note";
  const id = "https://wasmagent.dev/schemas/note/v1";
  mkdirSync(join(copy.root, "schema"), { recursive: true });
  writeFileSync(
    join(copy.root, `schema/${name}.schema.json`),
    `${JSON.stringify(
      {
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
              text: {
                description: "The remark. Not empty.",
                type: "string",
                minLength: 1,
              },
            },
            required: ["note_version", "text"],
          },
        },
      },
      undefined,
      2,
    )}\n`,
  );
  const registry = readRegistry();
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
  const schemas = [...registry.schemas, entry].sort((a, b) => (a.file < b.file ? -1 : 1));
  writeRegistry({ ...registry, schemas });
  enter("- `note` 1.0.0: `RolloutNote`.");
  follow();
});

function versionOf({ schemas }: Registry, name: string): [major: number, minor: number] {
  const [major = 0, minor = 0] = (schemas.find((entry) => entry.name === name)?.version ?? "")
    .split(".")
    .map(Number);
  return [major, minor];
}
