import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findSchemaSource } from "./sources.js";

const top = mkdtempSync(join(tmpdir(), "rollout-wire-shallow-"));
const origin = join(top, "origin");
const shallow = join(top, "shallow");
const clone = join(top, "clone");
const WHO = ["-c", "user.name=t", "-c", "user.email=t@example.org"];

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync("git", [...WHO, ...args], { cwd, stdio: "pipe" });
}

function commit(title: string): void {
  writeFileSync(join(origin, "s.json"), JSON.stringify({ title }));
  git(origin, "add", ".");
  git(origin, "commit", "--quiet", "-m", title);
}

beforeAll(() => {
  git(top, "init", "--quiet", "--initial-branch", "main", origin);
  for (const title of ["one", "two", "three"]) commit(title);
  git(origin, "tag", "v1");
  git(origin, "checkout", "--quiet", "-b", "feature");
  for (const title of ["four", "five", "six"]) commit(title);
  git(top, "clone", "--quiet", "--depth", "1", "--branch", "feature", `file://${origin}`, shallow);
});
afterAll(() => rmSync(top, { recursive: true }));

/** A shallow clone as in CI: one commit of one branch. */
beforeEach(() => {
  rmSync(clone, { recursive: true, force: true });
  cpSync(shallow, clone, { recursive: true });
});

function read(named: string): string {
  return findSchemaSource(named, clone).text;
}

function problem(named: string): string {
  try {
    return `found: ${read(named)}`;
  } catch (error) {
    return String(error);
  }
}

test.each([
  ["main:s.json", "three"],
  ["origin/main:s.json", "three"],
  ["HEAD~1:s.json", "five"],
  ["HEAD~^:s.json", "four"],
  ["v1:s.json", "three"],
])("%s: what is said to get it gets it", (named, title) => {
  const said = problem(named);
  const [, command = "", , then = named] =
    /a shallow clone lacks it: (git [^,)]+)(, then use ([^)]+))?\)/.exec(said) ?? [];
  expect(command).toMatch(/^git fetch /);
  git(clone, ...command.split(" ").slice(1));
  expect(JSON.parse(read(then))).toEqual({ title });
});

test("a missing path in an existing commit is reported without a fetch command", () => {
  expect(problem("HEAD:schema/nope.json")).toBe(
    "UserError: HEAD:schema/nope.json: no such file in that commit",
  );
});

test("without a remote repository, no fetch command is suggested", () => {
  git(clone, "remote", "remove", "origin");
  expect(problem("main:s.json")).toBe("UserError: main: no such commit in this repository");
  expect(problem("-x:s.json")).toBe("UserError: -x: not a git reference");
});
