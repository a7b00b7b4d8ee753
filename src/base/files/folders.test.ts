import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bundleText } from "../testing/build-program.js";
import { useFolder } from "../testing/use-folder.js";
import { UserError } from "../user-error.js";
import { listFiles, makeFolder, makeFolders } from "./folders.js";

const inFolder = useFolder();

test("makeFolder creates missing parents, and accepts an existing folder", () => {
  makeFolder(inFolder("a", "b", "c"), 0o700);
  makeFolder(inFolder("a", "b", "c"), 0o700);
  expect(statSync(inFolder("a", "b", "c")).mode & 0o777).toBe(0o700);
  makeFolder("/", 0o700);
});

test("makeFolder throws if a file is in the way", () => {
  writeFileSync(inFolder("file"), "");
  expect(() => makeFolder(inFolder("file"), 0o700)).toThrow("EEXIST");
  expect(() => makeFolder(inFolder("file", "a", "b"), 0o700)).toThrow("ENOTDIR");
});

// Here `mkdirSync` with `recursive` hangs.
test.runIf(existsSync("/proc/self"))("makeFolder fails where no folder can be created", () => {
  expect(() => mkdirSync("/proc/rollout-wire")).toThrow("ENOENT");
  expect(() => makeFolder("/proc/rollout-wire/a", 0o700)).toThrow("ENOENT");
  expect(() => makeFolders(["/proc/rollout-wire/a"])).toThrow(
    "/proc/rollout-wire/a: cannot be written: its folder does not exist",
  );
});

test("removeEmpty removes the folders that makeFolders created and that are still empty", () => {
  mkdirSync(inFolder("old"));
  const paths = ["old", "a/b/c", "a/b/d", "e/f"].map((path) => inFolder(path));
  const folders = makeFolders(paths);
  expect(paths.filter((path) => existsSync(path))).toEqual(paths);
  writeFileSync(inFolder("a", "b", "d", "file"), "");
  folders.removeEmpty();
  expect(listFiles(inFolder())).toEqual(["a/b/d/file"]);
  expect(readdirSync(inFolder()).sort()).toEqual(["a", "old"]);
  expect(existsSync(inFolder("a", "b", "c"))).toBe(false);
});

test("if makeFolders fails, it removes what it created, and names the folder", () => {
  const listeners = process.listenerCount("SIGTERM");
  writeFileSync(inFolder("file"), "");
  const make = () => makeFolders([inFolder("a", "b"), inFolder("file", "c")]);
  expect(make).toThrow(UserError);
  expect(make).toThrow(/file.c: cannot be written: /);
  expect(readdirSync(inFolder())).toEqual(["file"]);
  expect(process.listenerCount("SIGTERM")).toBe(listeners);
});

test("a signal removes the folders, once the temporary files in them are removed", () => {
  const program = `
    import { makeFolders } from "./src/base/files/folders.js";
    import { FileStaging } from "./src/base/files/staging.js";
    makeFolders([process.env.FOLDER + "/a/b"]);
    const file = await new FileStaging().open(process.env.FOLDER + "/a/b/file");
    await file.write("text");
    process.kill(process.pid, "SIGTERM");
    setInterval(() => {}, 1000);`;
  const { signal } = spawnSync(process.execPath, [bundleText(program)], {
    env: { ...process.env, FOLDER: inFolder() },
  });
  expect(signal).toBe("SIGTERM");
  expect(readdirSync(inFolder())).toEqual([]);
});
