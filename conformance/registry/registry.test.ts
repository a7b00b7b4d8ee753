import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { REGISTRY_FILE, readRegistry } from "./read-registry.js";
import { schemaHashes } from "./schema-hashes.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const { schemas } = readRegistry(root);

test("the registry lists every schema, and no other", () => {
  const files = readdirSync(join(root, "schema")).filter((file) => file.endsWith(".schema.json"));
  expect(schemas.map(({ file }) => file)).toEqual(files.map((file) => `schema/${file}`).sort());
});

describe.each(schemas)("$name", ({ id, file, version, released, hashes }) => {
  test("id and hashes are those of the file", () => {
    expect(JSON.parse(read(file)).$id).toBe(id);
    expect(schemaHashes(read(file))).toEqual(hashes);
  });

  test("every released version exists", () => {
    expect(released.length).toBeGreaterThan(0);
    expect(released.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("as long as the version is the released one, so are the bytes", () => {
    const last = read(released.at(-1) ?? "");
    const isAsReleased = /^\d+\.0\.0$/.test(version);
    expect(isAsReleased ? last : "").toBe(isAsReleased ? read(file) : "");
  });
});

describe("a registry that cannot be used is one line", () => {
  const entry = { ...schemas[0] };
  test.each([
    ["is not JSON", "{"],
    ["/schemas must be a list of schemas", "[]"],
    ["/schemas/0 must be an object", '{"schemas": [1]}'],
    [
      "/schemas/0/version must be a semantic version",
      JSON.stringify({ schemas: [{ ...entry, version: "banana" }] }),
    ],
    ["/schemas/0/owner must be text", JSON.stringify({ schemas: [{ ...entry, owner: "" }] })],
    [
      "/schemas/0/consumers must be a list",
      JSON.stringify({ schemas: [{ ...entry, consumers: 1 }] }),
    ],
    [
      "/schemas/0/stability must be stable or experimental",
      JSON.stringify({ schemas: [{ ...entry, stability: "x" }] }),
    ],
    ["/schemas/0/loaders must be", JSON.stringify({ schemas: [{ ...entry, loaders: [] }] })],
    ["/schemas/0/hashes must be", JSON.stringify({ schemas: [{ ...entry, hashes: "" }] })],
  ])("%s", (message, text) => {
    const folder = mkdtempSync(join(tmpdir(), "rollout-wire-registry-"));
    try {
      mkdirSync(join(folder, "schema"));
      writeFileSync(join(folder, REGISTRY_FILE), text);
      expect(() => readRegistry(folder)).toThrow(message);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("a missing one", () => {
    expect(() => readRegistry("/nowhere")).toThrow("no such file");
  });
});
