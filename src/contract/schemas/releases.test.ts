import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRelease, listReleases, readReleasedFile, toReleasedFile } from "./releases.js";
import { parseVersion } from "./version.js";

describe("released file", () => {
  test.each([
    ["1.0.0", "v1"],
    ["1.1.0", "v1.1"],
    ["1.0.2", "v1.0.2"],
    ["1.10.0", "v1.10"],
    ["10.0.0", "v10"],
    ["2.3.4", "v2.3.4"],
  ])("%s is published as %s.schema.json, and found again", (version, short) => {
    const file = `schema/released/a-b/${short}.schema.json`;
    expect(toReleasedFile("a-b", parseVersion(version))).toBe(file);
    expect(readReleasedFile(file)).toEqual({ name: "a-b", version: parseVersion(version), file });
  });

  test.each([
    "schema/released/a/v1.0.schema.json",
    "schema/released/a/v01.schema.json",
    "schema/released/a/1.schema.json",
    "schema/released/a/b/v1.schema.json",
    "schema/a.schema.json",
  ])("%s is not the path of a published version", (file) => {
    expect(readReleasedFile(file)).toBeUndefined();
  });
});

describe("findRelease", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "rollout-wire-releases-"));
    for (const file of ["a/v1", "a/v1.2", "a/v1.2.1", "a/v1.10", "a/v2", "b/v3", "a/notes"]) {
      const path = join(root, `schema/released/${file}.schema.json`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "{}");
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test.each([
    ["1", "v1.10"],
    ["1.0", "v1"],
    ["1.0.0", "v1"],
    ["1.1", undefined],
    ["1.2", "v1.2.1"],
    ["1.2.0", "v1.2"],
    ["1.10", "v1.10"],
    ["2", "v2"],
    ["3", undefined],
  ])("a/v%s is %s", (version, file) => {
    const found = findRelease(root, "a", version)?.file;
    expect(found).toBe(file && `schema/released/a/${file}.schema.json`);
  });

  test("lists all versions, the newest first, or none", () => {
    const names = listReleases(root).map(({ file }) => file.replace("schema/released/", ""));
    expect(names).toEqual(
      ["b/v3", "a/v2", "a/v1.10", "a/v1.2.1", "a/v1.2", "a/v1"].map(
        (file) => `${file}.schema.json`,
      ),
    );
    expect(listReleases(join(root, "none"))).toEqual([]);
  });
});
