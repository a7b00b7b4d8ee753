import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import { registryHashes } from "./registry-hashes.js";
import { recordHashes } from "./testing/record-hashes.js";
import { useCopy } from "./testing/use-copy.js";

const REGISTRY = "schema/registry.json";
const SCHEMA = "schema/rollout-trace.schema.json";
/** Pointer to the entry of rollout-trace. */
const TRACE = `/schemas/${readRegistry(packageRoot()).schemas.findIndex(({ file }) => file === SCHEMA)}`;

const { copy, find } = useCopy(registryHashes, ["schema"]);

test("a wrong hash, at its line", async () => {
  let line = 0;
  copy.edit(REGISTRY, (text) => {
    line = text.split('"canonical"')[0]?.split("\n").length ?? 0;
    return text.replace(/("canonical": "rfc8785-sha256:).{4}/, "$10000");
  });
  expect(await find()).toMatchObject([
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

test("a schema with changed formatting, until its hashes are recorded", async () => {
  copy.edit(SCHEMA, (text) => text.replace('"title":', '"title" :'));
  expect(await find()).toMatchObject([{ file: REGISTRY, pointer: `${TRACE}/hashes/bytes` }]);
  await recordHashes(copy.root);
  expect(await find()).toEqual([]);
});

test("a schema without hashes", async () => {
  copy.edit(REGISTRY, (text) => text.replace(/,\s*"hashes": \{[^}]*\}/, ""));
  expect(await find()).toMatchObject([{ id: "hash", pointer: "/schemas/0" }]);
});
