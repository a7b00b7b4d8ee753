import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFrozenRepository } from "../../../conformance/registry/testing/frozen-repository.js";
import { listMovers, readRegistry } from "./registry.js";
import { REGISTRY_FILE } from "./registry-file.js";

describe("readRegistry", () => {
  const frozen = createFrozenRepository();
  const registry = readRegistry(frozen.root);
  frozen.remove();
  const [schema] = registry.schemas;
  const [artefact] = registry.artefacts ?? [];

  /** A registry with one schema and one artefact, with changes. */
  function withOne(changes: { readonly schema?: object; readonly artefact?: object }): string {
    return JSON.stringify({
      schemas: [{ ...schema, ...changes.schema }],
      artefacts: [{ ...artefact, ...changes.artefact }],
    });
  }

  describe("an unusable registry is a one-line error", () => {
    test.each([
      ["is not JSON", "{"],
      ["must be an object, is an empty array", "[]"],
      ['lacks "schemas"', '{"artefacts": []}'],
      ['has "repositories", which is not allowed here', '{"schemas": [], "repositories": []}'],
      ["/schemas/0 must be an object, is 1", '{"schemas": [1]}'],
      ["/schemas/0/version must match", withOne({ schema: { version: "banana" } })],
      ["/schemas/0/owner must not be empty", withOne({ schema: { owner: "" } })],
      ["/schemas/0/consumers must be an array, is 1", withOne({ schema: { consumers: 1 } })],
      [
        '/schemas/0/stability must be "stable" or "experimental", is "x"',
        withOne({ schema: { stability: "x" } }),
      ],
      ["/schemas/0/loaders must be an object", withOne({ schema: { loaders: [] } })],
      ["/schemas/0/hashes must be an object", withOne({ schema: { hashes: "" } })],
      ['/schemas/0 has "ovner", which is not allowed here', withOne({ schema: { ovner: "" } })],
      [
        "/artefacts/0/source must match",
        withOne({ artefact: { source: "../elsewhere/schema.json" } }),
      ],
      ['/artefacts/0 has "path", which is not allowed here', withOne({ artefact: { path: "x" } })],
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

    test("a missing registry", () => {
      expect(() => readRegistry("/nowhere")).toThrow("no such file");
    });
  });
});

describe("listMovers", () => {
  test("a repository that reads and writes is a writer", () => {
    const schema = { consumers: ["plugin", "pipeline", "product"], producers: ["owner", "plugin"] };
    expect(listMovers(schema)).toEqual({
      readers: ["pipeline", "product"],
      writers: ["owner", "plugin"],
    });
  });
});
