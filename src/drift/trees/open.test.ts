import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openTree } from "./open.js";

const folder = mkdtempSync(join(tmpdir(), "rollout-wire-trees-"));
const repository = join(folder, "repository");
const scratch = join(folder, "scratch");
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  vi.stubEnv("TMPDIR", scratch);
});

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
}

beforeAll(() => {
  for (const path of ["src", "dist", "node_modules/a"]) {
    mkdirSync(join(repository, path), { recursive: true });
  }
  writeFileSync(join(repository, "src/a b.json"), '{"a": 1}');
  writeFileSync(join(repository, "dist/ä.json"), "{}\n");
  writeFileSync(join(repository, "empty.txt"), "");
  writeFileSync(join(repository, "node_modules/a/a.json"), "{}");
  symlinkSync("src/a b.json", join(repository, "link.json"));
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "t");
  git("config", "user.email", "t@t.example");
  git("add", "--force", ".");
  git("commit", "--quiet", "-m", "first");
  git("tag", "v1");
  git("clone", "--quiet", "--bare", ".", `${repository}-bare`);
  // The git tree has the committed files, the working tree the current ones.
  writeFileSync(join(repository, "src/a b.json"), '{"a": 2}');
});

const FILES = ["dist/ä.json", "empty.txt", "src/a b.json"];

describe.each([
  ["a folder", () => repository, '{"a": 2}'],
  ["a folder at a tag", () => `${repository}#v1`, '{"a": 1}'],
  ["a bare repository", () => `${repository}-bare`, '{"a": 1}'],
  ["a url", () => pathToFileURL(repository).href, '{"a": 1}'],
  ["a url at a branch", () => `${pathToFileURL(repository).href}#main`, '{"a": 1}'],
])("%s", (_, nameOf, text) => {
  test("has files, with their bytes, and is at a commit", () => {
    const tree = openTree(nameOf(), folder);
    try {
      expect(tree.files().map(({ path }) => path)).toEqual(FILES);
      expect(tree.files().find(({ path }) => path === "src/a b.json")?.size).toBe(8);
      expect(tree.read("src/a b.json")?.toString("utf8")).toBe(text);
      expect(tree.read("none.json")).toBeUndefined();
      expect(tree.read("src")).toBeUndefined();
      const many = [...tree.readMany([...FILES, "none.json"])];
      expect(many.map(([path, bytes]) => [path, bytes?.toString("utf8")])).toEqual([
        ["dist/ä.json", "{}\n"],
        ["empty.txt", ""],
        ["src/a b.json", text],
      ]);
      expect(tree.commit).toBe(git("rev-parse", "HEAD"));
    } finally {
      tree.close();
    }
  });
});

test("removes what was fetched", () => {
  const tree = openTree(pathToFileURL(repository).href, folder);
  expect(readdirSync(scratch)).toHaveLength(1);
  tree.close();
  expect(readdirSync(scratch)).toEqual([]);
});

test("a folder outside of git has no commit", () => {
  expect(openTree(folder, folder).commit).toBeUndefined();
});

describe("an unreachable tree is a one-line error", () => {
  test.each([
    ["nowhere", "nowhere: no such folder; nor is it <folder>#<git ref>"],
    ["repository#v9", "git rev-parse"],
    ["repository#--all", "git rev-parse"],
    ["file:///nowhere/at/all", "does not appear to be a git repository"],
    [`repository/.git#-x`, "git rev-parse"],
  ])("%s", (name, said) => {
    expect(() => openTree(name, folder)).toThrow(said);
    expect(readdirSync(scratch)).toEqual([]);
  });
});
