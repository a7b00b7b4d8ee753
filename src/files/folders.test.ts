import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useFolder } from "../testing/use-folder.js";
import { makeFolder } from "./folders.js";

const inFolder = useFolder();

test("makes what is missing, and takes what is there", () => {
  makeFolder(inFolder("a", "b", "c"), 0o700);
  makeFolder(inFolder("a", "b", "c"), 0o700);
  expect(statSync(inFolder("a", "b", "c")).mode & 0o777).toBe(0o700);
  makeFolder("/", 0o700);
});

test("a file in the way is an error", () => {
  writeFileSync(inFolder("file"), "");
  expect(() => makeFolder(inFolder("file"), 0o700)).toThrow("EEXIST");
  expect(() => makeFolder(inFolder("file", "a", "b"), 0o700)).toThrow("ENOTDIR");
});

// Where a folder is never made, `mkdirSync` of Node with `recursive` does not end.
test.runIf(existsSync("/proc/self"))("where none can be made it gives up", () => {
  expect(() => mkdirSync("/proc/rollout-wire")).toThrow("ENOENT");
  expect(() => makeFolder("/proc/rollout-wire/a", 0o700)).toThrow("ENOENT");
});
