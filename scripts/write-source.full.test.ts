import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runTool } from "../conformance/package/testing/run-tool.js";
import { copyRepository, type RepositoryCopy } from "../src/base/testing/copy-repository.js";
import { runInProcess } from "./testing/run-in-process.js";
import { run } from "./write-source.js";

/** Files that may be copied from a package, and a file that may not. */
const PARTS = [
  "fixtures/golden/data-loop",
  "generated",
  "integrations/python",
  "schema",
  "src/base/package.ts",
];

let copy: RepositoryCopy;
let commit: string;

function git(...args: string[]): string {
  const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return runTool("git", [...author, ...args], copy.root).trim();
}

async function writeSource(): Promise<unknown> {
  const { status, stderr } = await runInProcess(run, [], { root: copy.root });
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(readFileSync(join(copy.root, "dist/source.json"), "utf8"));
}

beforeEach(() => {
  copy = copyRepository(PARTS);
  writeFileSync(join(copy.root, ".gitignore"), "node_modules\n.venv\ndist/\n__pycache__/\n");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  commit = git("rev-parse", "HEAD");
});
afterEach(() => copy.remove());

test("a package records its commit, even if other files are not committed", async () => {
  expect(await writeSource()).toEqual({ commit });
  copy.edit("src/base/package.ts", (text) => `${text}\n`);
  expect(await writeSource()).toEqual({ commit });
});

test("a package with uncommitted copies has no commit", async () => {
  expect(await writeSource()).toEqual({ commit });
  copy.edit("schema/rollout-wire.schema.json", (text) => `${text}\n`);
  expect(await writeSource()).toEqual({ commit: null });
});

test("a package that was packed without git does not keep the commit of an earlier build", async () => {
  expect(await writeSource()).toEqual({ commit });
  rmSync(join(copy.root, ".git"), { recursive: true });
  expect(await writeSource()).toEqual({ commit: null });
});
