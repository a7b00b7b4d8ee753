import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readCodeBlocks } from "../conformance/package/testing/read-command-lines.js";
import { createTempFolder, type TempFolder } from "../src/base/files/temp.js";
import { bundleExample } from "../src/base/testing/build-program.js";
import { REPO_ROOT } from "./run-script.js";

const PAGE = readFileSync(join(REPO_ROOT, "docs/library.md"), "utf8");

/** The examples, each under its heading. */
const EXAMPLES = PAGE.split(/^## /m).flatMap((section) => {
  const [heading = ""] = section.split("\n");
  return readCodeBlocks(section, "ts").map((code) => ({ heading, code }));
});

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder();
  const sample = join(REPO_ROOT, "fixtures/golden/support-desk");
  cpSync(join(sample, "input.jsonl"), join(folder.path, "rollouts.jsonl"));
  cpSync(join(sample, "eval-items.jsonl"), join(folder.path, "eval.jsonl"));
});
afterEach(() => folder.remove());

/** What an example says that it prints: comments after `console.log`, and lines of comments at its end. */
function findPromised(code: string): string[] {
  const beside = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(
    ([, text = ""]) => text,
  );
  const [end = ""] = /(?<=\n)(?:\/\/ .*\n)*$/.exec(code) ?? [];
  const below = end.split("\n").filter((line) => line !== "");
  return [...beside, ...below.map((line) => line.slice("// ".length))];
}

test("there is an example for each task", () => {
  const headings = new Set(EXAMPLES.map(({ heading }) => heading));
  expect([...headings]).toEqual(["Load", "Check", "Rank", "Decontaminate", "Export"]);
  for (const { code } of EXAMPLES) expect(findPromised(code)).not.toEqual([]);
});

test.each(EXAMPLES)("$heading: the example prints what it says", ({ code }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundleExample(code)], {
    cwd: folder.path,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout.trimEnd().split("\n")).toEqual(findPromised(code));
});
