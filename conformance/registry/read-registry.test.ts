import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { REGISTRY_FILE, readRegistry } from "./read-registry.js";

const { schemas } = readRegistry(fileURLToPath(new URL("../..", import.meta.url)));

describe("a registry that cannot be used is one line", () => {
  const entry = { ...schemas[0] };
  test.each([
    ["is not JSON", "{"],
    ["must be an object, is an empty array", "[]"],
    ["/schemas must be a list of schemas", "{}"],
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
