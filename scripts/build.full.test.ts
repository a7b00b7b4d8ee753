import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runTool } from "../conformance/package/testing/run-tool.js";
import { copyRepository, type RepositoryCopy } from "../src/base/testing/copy-repository.js";
import { writeSource } from "./build.js";

/** Files that may be copied from a package, and a file that may not. */
const PARTS = ["fixtures/golden/data-loop", "generated", "schema", "src/base/package.ts"];

let copy: RepositoryCopy;
let commit: string;

function git(...args: string[]): string {
  const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return runTool("git", [...author, ...args], copy.root).trim();
}

function readSource(): unknown {
  writeSource(copy.root);
  return JSON.parse(readFileSync(join(copy.root, "dist/source.json"), "utf8"));
}

beforeEach(() => {
  copy = copyRepository(PARTS);
  writeFileSync(join(copy.root, ".gitignore"), "node_modules\n.venv\ndist/\n__pycache__/\n");
  mkdirSync(join(copy.root, "dist"));
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  commit = git("rev-parse", "HEAD");
});
afterEach(() => copy.remove());

test("a package records its commit, even if other files are not committed", () => {
  expect(readSource()).toEqual({ commit });
  copy.edit("src/base/package.ts", (text) => `${text}\n`);
  expect(readSource()).toEqual({ commit });
});

test("a package with uncommitted copies has no commit", () => {
  expect(readSource()).toEqual({ commit });
  copy.edit("schema/rollout-wire.schema.json", (text) => `${text}\n`);
  expect(readSource()).toEqual({ commit: null });
});

test("a package that was packed without git does not keep the commit of an earlier build", () => {
  expect(readSource()).toEqual({ commit });
  rmSync(join(copy.root, ".git"), { recursive: true });
  expect(readSource()).toEqual({ commit: null });
});
