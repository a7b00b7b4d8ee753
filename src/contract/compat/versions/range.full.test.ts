import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { createTestFolder } from "../../../base/testing/run-in-folder.js";
import { EXIT } from "../../../base/user-error.js";
import { isRange } from "./range.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const object = (properties: object, required: readonly string[] = []): object => ({
  $schema: DIALECT,
  type: "object",
  properties,
  required,
});

function git(...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...who, ...args], { cwd: folder.path, encoding: "utf8" });
}

function write(path: string, value: unknown): void {
  writeFileSync(join(folder.path, path), JSON.stringify(value, null, 2));
}

function commit(message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}

const text = { type: "string" };

beforeAll(() => {
  git("init", "--quiet", "--initial-branch", "main");
  mkdirSync(join(folder.path, "schemas"));
  write("schemas/tight.json", object({ a: text }));
  write("schemas/gone.json", { $schema: DIALECT, enum: ["this", "schema", "goes", "away"] });
  write("schemas/moved.json", object({ a: text, b: text, c: text }));
  write("schemas/same.schema.json", object({}));
  write("schemas/data.json", { a: 1 });
  commit("first");
  git("checkout", "--quiet", "-b", "change");
  write("schemas/tight.json", object({ a: text }, ["a"]));
  write("schemas/new.json", object({ a: text }));
  write("schemas/data.json", { a: 2 });
  git("mv", "schemas/moved.json", "schemas/renamed.json");
  rmSync(join(folder.path, "schemas/gone.json"));
  commit("second");
  git("checkout", "--quiet", "main");
  write("schemas/same.schema.json", object({ z: text }));
  commit("main goes on");
  git("checkout", "--quiet", "change");
});

describe("a range of commits", () => {
  test("every schema that was added, changed or removed is compared with its last common version", async () => {
    const { exitCode, stdout } = await folder.run(["diff", "main...HEAD", "schemas/"]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout.match(/^schemas\/.*\)$/gm)).toEqual([
      "schemas/gone.json  (removed)",
      "schemas/new.json  (added)",
      "schemas/renamed.json  (changed, renamed from schemas/moved.json)",
      "schemas/tight.json  (changed)",
    ]);
    expect(stdout).toContain("R1 required-added   /a is required now   breaks backward");
    expect(stdout).toContain("T5 everything-or-nothing   the document now rejects everything");
    expect(stdout).toMatch(/4 changed schemas, 2 of which break, or may break\n$/);
  });

  test("main..HEAD compares with main itself", async () => {
    const { stdout } = await folder.run(["diff", "main..HEAD", "schemas/same.schema.json"]);
    expect(stdout).toContain("schemas/same.schema.json  (changed)");
  });

  test("the JSON report has one comparison for each schema, and all findings", async () => {
    const { stdout } = await folder.run(["diff", "main...", "schemas/", "--format", "json"]);
    const report: unknown = JSON.parse(stdout);
    expect(findErrors("RangeDiffReport", report)).toEqual([]);
    expect(report).toMatchObject({
      range: "main...",
      schemas: [
        { status: "removed", bump: "major" },
        { status: "added", bump: "minor", findings: [] },
        { status: "changed", bump: "none" },
        { status: "changed", bump: "major" },
      ],
    });
  });

  test("annotations name the file of the pull request", async () => {
    const { stdout } = await folder.run(["diff", "main...HEAD", "--format", "github"]);
    expect(stdout).toContain("::error file=schemas/tight.json,line=");
  });

  test("Markdown has a table of all schemas, and what breaks with its witness", async () => {
    const { exitCode, stdout } = await folder.run(["diff", "main...HEAD", "--format", "markdown"]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain("**2 schemas of 4 break, or may break.**\n");
    expect(stdout).toContain("| `schemas/new.json` (added) | compatible | compatible |");
    expect(stdout).toContain(
      "### `schemas/tight.json`\n\nNew readers reject data that is valid today.\nBump: major\n",
    );
    expect(stdout).toContain("  ```json\n  {}\n  ```\n\n  **Fix**: make the property optional");
  });

  test("without a changed schema it is green, and says so", async () => {
    expect(await folder.run(["diff", "HEAD...HEAD", "schemas/"])).toEqual({
      exitCode: EXIT.ok,
      stdout: "no schema changed: 4 checked, with the files that they refer to\n",
      stderr: "",
    });
  });

  test.each<[string[], number, string]>([
    [["main...HEAD", "nowhere/"], EXIT.unreadable, "nowhere/: no schema among 0 JSON files there"],
    [["HEAD...HEAD", "schemas/data.json"], EXIT.unreadable, "no schema among 1 JSON file there"],
    [["nobody...HEAD"], EXIT.unreadable, "nobody: no such commit"],
    [["main...HEAD", "--corpus", "x.jsonl"], EXIT.usage, "--corpus needs two versions"],
  ])("%j is a one-line error", async (args, expected, said) => {
    const { exitCode, stdout, stderr } = await folder.run(["diff", ...args]);
    expect([exitCode, stdout]).toEqual([expected, ""]);
    expect(stderr).toContain(said);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  test("branches without a common commit are an error that says what CI must fetch", async () => {
    git("checkout", "--quiet", "--orphan", "other");
    commit("unrelated");
    const { exitCode, stderr } = await folder.run(["diff", "main...HEAD"]);
    git("checkout", "--quiet", "change");
    expect(exitCode).toBe(EXIT.unreadable);
    expect(stderr).toContain("main...HEAD: no common commit");
    expect(stderr).toContain("fetch-depth: 0");
  });
});

test.each([
  ["main...HEAD", true],
  ["main..", true],
  ["origin/main...feature/x", true],
  ["HEAD~2..HEAD^", true],
  ["../a.json", false],
  ["a/../b.json", false],
  ["..", false],
  ["...", false],
  ["main:../a.json", false],
  ["released:rollout-wire/v1", false],
])("%s is a range: %s", (named, expected) => {
  expect(isRange(named, folder.path)).toBe(expected);
});
