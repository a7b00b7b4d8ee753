import { expect, test } from "vitest";
import { readReleasedFile, toReleasedFile } from "./released-file.js";
import { parseVersion } from "./version.js";

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
])("%s is no place of a published version", (file) => {
  expect(readReleasedFile(file)).toBeUndefined();
});
