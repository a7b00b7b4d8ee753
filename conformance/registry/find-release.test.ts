import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findRelease } from "./find-release.js";
import { listReleases } from "./list-releases.js";

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

test("all of them, the newest first, and nothing where nothing was published", () => {
  const names = listReleases(root).map(({ file }) => file.replace("schema/released/", ""));
  expect(names).toEqual(
    ["b/v3", "a/v2", "a/v1.10", "a/v1.2.1", "a/v1.2", "a/v1"].map((file) => `${file}.schema.json`),
  );
  expect(listReleases(join(root, "none"))).toEqual([]);
});
