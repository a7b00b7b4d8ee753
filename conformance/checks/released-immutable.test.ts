import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import { releasedImmutable } from "./released-immutable.js";
import { recordHashes } from "./testing/record-hashes.js";
import { useCopy } from "./testing/use-copy.js";

const REGISTRY = "schema/registry.json";
const FOLDER = "schema/released/rollout-trace";
const RELEASED = `${FOLDER}/v1.schema.json`;
const SUMS = "schema/released/SHA256SUMS";
/** Pointer to the entry of rollout-trace. */
const TRACE = `/schemas/${readRegistry(packageRoot()).schemas.findIndex(({ name }) => name === "rollout-trace")}`;

const { copy, find } = useCopy(releasedImmutable, ["schema"]);

/** The findings for the copy: id, file and pointer. */
async function findPlaces(): Promise<unknown[]> {
  return (await find()).map(({ id, file, pointer }) => [id, file, pointer]);
}

/** Renames the published version in the registry, on disk, and in the file of hashes. */
function rename(to: string): void {
  renameSync(join(copy.root, RELEASED), join(copy.root, FOLDER, to));
  copy.edit(REGISTRY, (text) => text.replace(RELEASED, `${FOLDER}/${to}`));
  copy.edit(SUMS, (text) => text.replace("rollout-trace/v1.schema.json", `rollout-trace/${to}`));
}

test("a modified published version whose new hash is not recorded everywhere", async () => {
  copy.edit(RELEASED, (text) => `${text} `);
  const touched = [["released-changed", RELEASED, ""]];
  expect(await findPlaces()).toEqual(touched);
  await recordHashes(copy.root);
  expect(await findPlaces()).toEqual(touched);
});

test("a deleted published version, also after generate", async () => {
  rmSync(join(copy.root, RELEASED));
  const gone = [
    ["missing-file", REGISTRY, `${TRACE}/released/0`],
    ["missing-file", SUMS, ""],
  ];
  expect(await findPlaces()).toEqual(gone);
  await recordHashes(copy.root);
  expect(await findPlaces()).toEqual(gone);
});

test("an unregistered published version without a recorded hash", async () => {
  const file = `${FOLDER}/v2.schema.json`;
  cpSync(join(copy.root, RELEASED), join(copy.root, file));
  expect(await findPlaces()).toEqual([
    ["unregistered", file, ""],
    ["released-hash", file, ""],
  ]);
});

test("a wire schema that was never published", async () => {
  copy.edit(REGISTRY, (text) =>
    text.replace(/"released": \[\s*"[^"]*rollout-trace[^\]]*\]/, '"released": []'),
  );
  expect(await findPlaces()).toContainEqual(["unpublished", REGISTRY, `${TRACE}/released`]);
});

test("a tool schema that was published", async () => {
  copy.edit(REGISTRY, (text) => text.replace('"tier": "wire"', '"tier": "tool"'));
  expect(await findPlaces()).toEqual([["tier", REGISTRY, `${TRACE}/released`]]);
});

test.each(["v1.0.schema.json", "1.schema.json", "v01.schema.json"])(
  "a file name without a version: %s",
  async (name) => {
    rename(name);
    expect(await findPlaces()).toEqual([["released-name", REGISTRY, `${TRACE}/released/0`]]);
  },
);

test("versions out of order", async () => {
  rename("v1.10.schema.json");
  cpSync(join(copy.root, FOLDER, "v1.10.schema.json"), join(copy.root, FOLDER, "v1.9.schema.json"));
  copy.edit(REGISTRY, (text) =>
    text.replace(
      `"${FOLDER}/v1.10.schema.json"`,
      `"${FOLDER}/v1.10.schema.json", "${FOLDER}/v1.9.schema.json"`,
    ),
  );
  await recordHashes(copy.root);
  expect(await findPlaces()).toContainEqual(["released-name", REGISTRY, `${TRACE}/released/1`]);
});

test("a file of hashes that sha256sum cannot read", async () => {
  copy.edit(SUMS, (text) => text.replace("  rollout-trace", " rollout-trace"));
  expect(await find()).toMatchObject([{ id: "released-hash", file: SUMS, column: 1 }]);
});

test("a published version with two recorded hashes, which could hide a modification", async () => {
  copy.edit(SUMS, (text) => `${text}${text}`);
  expect(await findPlaces()).toEqual([["released-hash", SUMS, ""]]);
});
