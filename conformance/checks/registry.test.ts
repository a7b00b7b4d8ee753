import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import { Workspace } from "../workspace.js";
import { registry } from "./registry.js";
import { useCopy } from "./testing/use-copy.js";

const REGISTRY = "schema/registry.json";
/** Pointer to the entry of rollout-trace. */
const TRACE = `/schemas/${readRegistry(packageRoot()).schemas.findIndex(({ name }) => name === "rollout-trace")}`;

const { copy, find } = useCopy(registry, ["schema", "generated", "fixtures/golden/data-loop"]);
/** Pointer to the entry of the records that repositories may copy. */
const RECORDS = `/artefacts/${(readRegistry(packageRoot()).artefacts ?? []).findIndex(({ kind }) => kind === "fixture")}`;

/** The findings for the copy: id, file and pointer. */
async function findPlaces(): Promise<unknown[]> {
  return (await find()).map(({ id, file, pointer }) => [id, file, pointer]);
}

test.each<[change: string, from: RegExp, to: string, id: string, pointer: string]>([
  ["another id", /rollout-trace:v1"/, 'trace:v1"', "id", `${TRACE}/id`],
  ["another name", /"name": "rollout-trace"/, '"name": "trace"', "name", `${TRACE}/name`],
  ["no owner", /"owner": "wasmagent-js",/, '"owner": "",', "registry", "/schemas/0/owner"],
  [
    "another file",
    /"file": "schema\/rollout-trace/,
    '"file": "schema/q',
    "missing-file",
    `${TRACE}/file`,
  ],
])("a registry with %s", async (_change, from, to, id, pointer) => {
  copy.edit(REGISTRY, (text) => text.replace(from, to));
  expect(await findPlaces()).toContainEqual([id, REGISTRY, pointer]);
});

test("an alias that names another schema", async () => {
  copy.edit(REGISTRY, (text) =>
    text.replace("schemas/rollout-wire/v1", "schemas/rollout-trace/v1"),
  );
  expect(await findPlaces()).toEqual(
    expect.arrayContaining([
      ["alias", REGISTRY, `${TRACE}/aliases/0`],
      ["alias", REGISTRY, `${TRACE.replace(/\d+/, (index) => `${Number(index) + 1}`)}/aliases/0`],
    ]),
  );
});

test("a published $id that copies would no longer be found by", async () => {
  const lost = '"https://wasmagent.dev/schemas/rollout-trace/v1"';
  copy.edit(REGISTRY, (text) => text.replace(lost, ""));
  const id = lost.slice(1, -1);
  expect(await find()).toMatchObject([
    {
      id: "alias",
      pointer: `${TRACE}/id`,
      message: expect.stringContaining(`differs from ${id}, the "$id" of a published version`),
    },
  ]);
});

test("entries out of order", async () => {
  copy.edit(REGISTRY, (text) => {
    const { schemas, ...rest } = JSON.parse(text);
    return JSON.stringify({ schemas: schemas.reverse(), ...rest });
  });
  expect(await findPlaces()).toEqual([["order", REGISTRY, "/schemas/1/file"]]);
});

test("a schema file that is not in the registry", async () => {
  writeFileSync(join(copy.root, "schema/stray.schema.json"), "{}");
  expect(await findPlaces()).toEqual([["unregistered", "schema/stray.schema.json", ""]]);
});

test.each([REGISTRY, "schema/rollout-trace.schema.json"])(
  "%s that is not JSON, with the position",
  async (file) => {
    copy.edit(file, () => '{\n  "a": 1,\n}\n');
    expect(await find()).toMatchObject([{ id: "json", file, line: 3, column: 1 }]);
  },
);

test.each([REGISTRY, "schema/rollout-trace.schema.json"])(
  "%s with a repeated key, which readers interpret differently",
  async (file) => {
    copy.edit(file, (text) => text.replace("{", '{\n  "$id": "",\n  "schemas": [],\n  "$id": "",'));
    const [first, ...others] = await find();
    expect(first).toMatchObject({ id: "duplicate-key", file, line: 4, column: 3 });
    expect(others.filter(({ id }) => id !== "duplicate-key")).toEqual([]);
  },
);

test("a tool schema with loaders for Python, which it does not have", async () => {
  copy.edit(REGISTRY, (text) => text.replace('"tier": "wire"', '"tier": "tool"'));
  expect(await findPlaces()).toEqual([["tier", REGISTRY, `${TRACE}/loaders`]]);
});

test("a registry without a wire schema", async () => {
  copy.edit(REGISTRY, (text) => {
    const { schemas, ...rest } = JSON.parse(text);
    const tools = schemas.map((entry: object) => ({ ...entry, tier: "tool" }));
    return JSON.stringify({ schemas: tools, ...rest });
  });
  expect(await findPlaces()).toEqual([["tier", REGISTRY, "/schemas"]]);
});

test("an empty registry is not green", async () => {
  rmSync(join(copy.root, "schema"), { recursive: true });
  mkdirSync(join(copy.root, "schema"));
  writeFileSync(join(copy.root, REGISTRY), '{"schemas": []}');
  expect(await findPlaces()).toEqual([["nothing-checked", "conformance/checks/registry.ts", ""]]);
});

test.each<[change: string, from: RegExp, to: string, id: string, pointer: string]>([
  [
    "that is missing",
    /"source": "fixtures\/golden/,
    '"source": "fixtures/goldn',
    "missing-file",
    `${RECORDS}/source`,
  ],
  [
    "of an unknown schema",
    /("kind": "fixture",\s*"schema": ")rollout-wire"/,
    '$1rollout-wires"',
    "artefact",
    `${RECORDS}/schema`,
  ],
  [
    "with a path in another repository, which its configuration says",
    /("kind": "fixture",)/,
    '$1 "path": "fixtures/data-loop/rollout-branches.v1.jsonl",',
    "registry",
    RECORDS,
  ],
  [
    "outside of this repository",
    /"source": "fixtures\/golden/,
    '"source": "../golden',
    "registry",
    `${RECORDS}/source`,
  ],
])("an artefact %s", async (_change, from, to, id, pointer) => {
  copy.edit(REGISTRY, (text) => text.replace(from, to));
  expect(await findPlaces()).toContainEqual([id, REGISTRY, pointer]);
});

test("a list of repositories, which nothing would read", async () => {
  copy.edit(REGISTRY, (text) => JSON.stringify({ ...JSON.parse(text), repositories: [] }));
  expect(await find()).toMatchObject([
    { id: "registry", file: REGISTRY, message: expect.stringContaining("repositories") },
  ]);
});

test("each artefact is counted", async () => {
  const { schemas, artefacts = [] } = readRegistry(copy.root);
  expect(artefacts.length).toBeGreaterThan(3);
  expect(await registry.run(new Workspace(copy.root), { today: "2026-01-01" })).toEqual({
    checked: [
      { count: schemas.length, thing: "schema" },
      { count: artefacts.length, thing: "artefact" },
    ],
    findings: [],
  });
});

test("a misspelt name of a consumer", async () => {
  copy.edit(REGISTRY, (text) => text.replace('"bscode"', '"bscodes"'));
  expect(await find()).toMatchObject([
    {
      id: "unknown-name",
      message: "is bscodes, which is named nowhere else: did you mean bscode?",
    },
  ]);
});
