import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findSourceCommit } from "./lock.js";

let folder: string;
let commit: string;

function git(...args: string[]): string {
  const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return execFileSync("git", [...author, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-commit-"));
  git("init", "--quiet");
  mkdirSync(join(folder, "node_modules/package"), { recursive: true });
  writeFileSync(join(folder, "node_modules/package/schema.json"), "{}");
  writeFileSync(join(folder, ".gitignore"), "node_modules/\nignored.json\n");
  writeFileSync(join(folder, "schema.json"), "{}");
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  commit = git("rev-parse", "HEAD");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("the commit of committed files, even if other files are not committed", () => {
  writeFileSync(join(folder, "other.json"), "{}");
  expect(findSourceCommit(folder, ["schema.json"])).toBe(commit);
});

test.each([
  ["was changed since", "schema.json", "[]"],
  ["was never committed", "new.json", "{}"],
  ["is ignored", "ignored.json", "{}"],
])("no commit for a file that %s", (_what, file, text) => {
  writeFileSync(join(folder, file), text);
  expect(findSourceCommit(folder, ["schema.json", file])).toBeNull();
});

test("no commit for a package that is installed in a repository", () => {
  expect(findSourceCommit(join(folder, "node_modules/package"), ["schema.json"])).toBeNull();
});

test.each([
  ["the commit from which a package was packed", '{"commit": "0a1b"}', "0a1b"],
  ["no commit for a package with uncommitted files", '{"commit": null}', null],
])("%s", (_what, source, expected) => {
  const root = join(folder, "node_modules/package");
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "dist/source.json"), source);
  expect(findSourceCommit(root, ["schema.json"])).toBe(expected);
});

test("the record of an earlier pack does not count in a checkout", () => {
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist/source.json"), '{"commit": "0a1b"}');
  expect(findSourceCommit(folder, ["schema.json"])).toBe(commit);
  writeFileSync(join(folder, "schema.json"), "[]");
  expect(findSourceCommit(folder, ["schema.json"])).toBeNull();
});

test("no commit outside of a repository", () => {
  rmSync(join(folder, ".git"), { recursive: true });
  expect(findSourceCommit(folder, ["schema.json"])).toBeNull();
});

test("the commit of the folder, also in a hook of another repository", () => {
  vi.stubEnv("GIT_DIR", join(folder, "nowhere"));
  vi.stubEnv("GIT_INDEX_FILE", join(folder, "nowhere/index"));
  expect(findSourceCommit(folder, ["schema.json"])).toBe(commit);
});
