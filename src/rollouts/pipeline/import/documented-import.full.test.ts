import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readCodeBlocks } from "../../../../conformance/package/testing/read-command-lines.js";
import { type BuiltProgram, buildProgram } from "../../../base/testing/build-program.js";
import { createProgramFolder, type ProgramFolder } from "../../../base/testing/program-folder.js";

const REPO_ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const BLOCKS = readCodeBlocks(readFileSync(join(REPO_ROOT, "docs/import.md"), "utf8"), "sh");

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});

let folder: ProgramFolder;
beforeEach(() => {
  folder = createProgramFolder();
});
afterEach(() => folder.remove());

test.each(BLOCKS)("docs/import.md, block %#: %s", (block) => {
  const isOfJobs = /\b(?:jobs|trajectories)\b/.test(block);
  const source = isOfJobs ? "atif" : /openhands|rows/.test(block) ? "messages" : "tinker";
  cpSync(join(REPO_ROOT, "fixtures/import", source), folder.cwd, { recursive: true });
  folder.write("eval.jsonl", `${JSON.stringify({ prompt: "Sing a song of six pence." })}\n`);
  const script = `set -e\nrollout-wire() { '${process.execPath}' '${program.main}' "$@"; }\n${block}`;
  const { status, stderr } = spawnSync("bash", ["-c", script], {
    cwd: folder.cwd,
    env: { ...process.env, ...folder.env },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  expect(stderr).toMatch(/^ {2}import {13}\w+\.jsonl {2}\d+ branches, \d+ rollouts?$/m);
});

test("the page has the expected number of blocks", () => {
  expect(BLOCKS).toHaveLength(6);
});
