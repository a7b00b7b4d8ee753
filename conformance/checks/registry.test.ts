import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HOME } from "../../scripts/home.js";
import { copyRepository, type RepositoryCopy } from "../../scripts/testing/copy-repository.js";
import { readRegistry } from "../registry/read-registry.js";
import { runChecks } from "../run/run-checks.js";
import { registry } from "./registry.js";

const REGISTRY = "schema/registry.json";
const RELEASED = "schema/released/rollout-trace/v1.schema.json";
const SUMS = "schema/released/SHA256SUMS";
/** Pointer of the entry of rollout-trace. */
const TRACE = `/schemas/${readRegistry(HOME).schemas.findIndex(({ name }) => name === "rollout-trace")}`;

/** Pointer of the first entry that names bscode. */
const BSCODE = `/schemas/${readRegistry(HOME).schemas.findIndex(({ consumers }) => consumers.includes("bscode"))}`;

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository();
});

afterEach(() => copy.remove());

/** What the check finds in the copy: id, file, line, and pointer. */
async function find(): Promise<unknown[]> {
  const [result] = await runChecks([registry], copy.root);
  return (result?.findings ?? []).map(({ id, file, pointer }) => [id, file, pointer]);
}

test("green on the repository as it is", async () => {
  const { checked, findings } = await registry.run(copy.root);
  expect(findings).toEqual([]);
  expect(checked.map(({ count }) => count > 2)).toEqual([true, true, true]);
});

test("a published version that was touched, wherever its new hash is not recorded", async () => {
  copy.edit(RELEASED, (text) => `${text} `);
  // The schema is also no longer the version that the registry calls it.
  expect(await find()).toEqual([
    ["version", REGISTRY, `${TRACE}/version`],
    ["released-changed", RELEASED, ""],
  ]);
  expect(copy.run("generate").status).toBe(0);
  expect(await find()).toContainEqual(["released-changed", RELEASED, ""]);
});

test("a published version that is gone, also after generate", async () => {
  rmSync(join(copy.root, RELEASED));
  const gone = [
    ["missing-file", REGISTRY, `${TRACE}/released/0`],
    ["missing-file", SUMS, ""],
  ];
  expect(await find()).toEqual(gone);
  expect(copy.run("generate").status).toBe(0);
  expect(await find()).toEqual(gone);
});

test("a published version that nothing names, and whose hash is not recorded", async () => {
  const file = "schema/released/rollout-trace/v2.schema.json";
  cpSync(join(copy.root, RELEASED), join(copy.root, file));
  expect(await find()).toEqual([
    ["unregistered", file, ""],
    ["released-hash", file, ""],
  ]);
});

test("a file of hashes that sha256sum cannot read", async () => {
  copy.edit(SUMS, (text) => text.replace("  rollout-trace", " rollout-trace"));
  const [result] = await runChecks([registry], copy.root);
  expect(result?.findings).toMatchObject([{ id: "released-hash", file: SUMS, column: 1 }]);
});

test("a published version whose hash stands there twice: one that was touched could hide behind it", async () => {
  copy.edit(SUMS, (text) => `${text}${text}`);
  expect(await find()).toEqual([["released-hash", SUMS, ""]]);
});

test("a wrong hash, at its line", async () => {
  let line = 0;
  copy.edit(REGISTRY, (text) => {
    line = text.split('"canonical"')[0]?.split("\n").length ?? 0;
    return text.replace(/("canonical": "rfc8785-sha256:).{4}/, "$10000");
  });
  const [result] = await runChecks([registry], copy.root);
  expect(result?.findings).toMatchObject([
    {
      id: "hash",
      file: REGISTRY,
      line,
      column: 22,
      pointer: "/schemas/0/hashes/canonical",
      message: expect.stringMatching(/^is not that of schema\/.*\.schema\.json: rfc8785-sha256:/),
    },
  ]);
});

test("a schema that changed under its published version", async () => {
  copy.edit("schema/rollout-trace.schema.json", (text) => text.replace('"title":', '"title" :'));
  expect(await find()).toEqual([
    ["hash", REGISTRY, `${TRACE}/hashes/bytes`],
    ["version", REGISTRY, `${TRACE}/version`],
  ]);
  copy.edit(REGISTRY, (text) => text.replaceAll('"version": "1.0.0"', '"version": "1.0.1"'));
  expect(copy.run("generate").status).toBe(0);
  expect(await find()).toEqual([]);
});

test.each<[change: string, from: RegExp, to: string, id: string, pointer: string]>([
  ["another id", /rollout-trace\/v1"/, 'trace/v1"', "id", `${TRACE}/id`],
  ["another name", /"name": "rollout-trace"/, '"name": "trace"', "name", `${TRACE}/name`],
  ["no owner", /"owner": "wasmagent-js",/, '"owner": "",', "registry", "/schemas/0/owner"],
  [
    "no published version",
    /"released": \[[^\]]*\]/,
    '"released": []',
    "unpublished",
    "/schemas/0/released",
  ],
  [
    "another file",
    /"file": "schema\/rollout-trace/,
    '"file": "schema/q',
    "missing-file",
    `${TRACE}/file`,
  ],
])("a registry with %s", async (_change, from, to, id, pointer) => {
  copy.edit(REGISTRY, (text) => text.replace(from, to));
  expect(await find()).toContainEqual([id, REGISTRY, pointer]);
});

test("entries out of order", async () => {
  copy.edit(REGISTRY, (text) => {
    const { schemas, repositories } = JSON.parse(text);
    return JSON.stringify({ schemas: schemas.reverse(), repositories });
  });
  expect(await find()).toEqual([["order", REGISTRY, "/schemas/1/file"]]);
});

test("a schema file that the registry does not name", async () => {
  writeFileSync(join(copy.root, "schema/stray.schema.json"), "{}");
  expect(await find()).toEqual([["unregistered", "schema/stray.schema.json", ""]]);
});

test.each([REGISTRY, "schema/rollout-trace.schema.json"])(
  "%s that is not JSON, at the place",
  async (file) => {
    copy.edit(file, () => '{\n  "a": 1,\n}\n');
    const [result] = await runChecks([registry], copy.root);
    expect(result?.findings).toMatchObject([{ id: "json", file, line: 3, column: 1 }]);
  },
);

test.each([REGISTRY, "schema/rollout-trace.schema.json"])(
  "%s with a key that is repeated, so that readers see one value or the other",
  async (file) => {
    copy.edit(file, (text) => text.replace("{", '{\n  "$id": "",\n  "schemas": [],\n  "$id": "",'));
    const [result] = await runChecks([registry], copy.root);
    expect(result?.findings).toMatchObject([{ id: "duplicate-key", file, line: 4, column: 3 }]);
  },
);

test("an empty registry is not green", async () => {
  rmSync(join(copy.root, "schema"), { recursive: true });
  mkdirSync(join(copy.root, "schema"));
  writeFileSync(join(copy.root, REGISTRY), '{"schemas": [], "repositories": []}');
  expect(await find()).toEqual([["nothing-checked", "conformance/checks/registry.ts", ""]]);
});

test.each<[change: string, from: RegExp, to: string, id: string, pointer: string]>([
  ["that lacks one", /"name": "bscode"/, '"name": "bs-code"', "repository", BSCODE],
  [
    "of a role that no schema gives it",
    /("name": "bscode",\s*"roles": \[\s*)"consumer"/,
    '$1"producer"',
    "roles",
    "/repositories/2/roles",
  ],
  [
    "that stands there twice",
    /"name": "eliza-rollout-plugin"/,
    '"name": "bscode"',
    "repository",
    "/repositories/3/name",
  ],
  [
    "that copies what is not there",
    /"source": "fixtures\/golden/,
    '"source": "fixtures/goldn',
    "missing-file",
    "/repositories/0/artefacts/2/source",
  ],
  [
    "that copies another file as a schema",
    /"source": "schema\/rollout-wire/,
    '"source": "schema/fixture',
    "artefact",
    "/repositories/0/artefacts/0/source",
  ],
  [
    "that is ahead of the schema",
    /("schema": "rollout-wire",\s*"version": ")1.0.0/,
    "$11.10.0",
    "artefact",
    "/repositories/0/artefacts/0/version",
  ],
  [
    "that copies from a schema that is none",
    /"schema": "rollout-wire"/,
    '"schema": "rollout-wires"',
    "artefact",
    "/repositories/0/artefacts/0/schema",
  ],
  [
    "that holds two copies at one place",
    /"path": "fixtures\/data-loop\/rollout-branches.v1.jsonl"/,
    '"path": "packages/core"',
    "artefact",
    "/repositories/0/artefacts/2/path",
  ],
])("a repository %s", async (_change, from, to, id, pointer) => {
  copy.edit(REGISTRY, (text) => text.replace(from, to));
  expect(await find()).toContainEqual([id, REGISTRY, pointer]);
});
