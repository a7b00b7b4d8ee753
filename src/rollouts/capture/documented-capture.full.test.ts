import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isPpoRecord, isRolloutBranch } from "#generated/index.js";
import { readCodeBlocks } from "../../../conformance/package/testing/read-command-lines.js";
import { createTempFolder, type TempFolder } from "../../base/files/temp.js";
import { packageRoot } from "../../base/package.js";
import { bundleExample } from "../../base/testing/build-program.js";

const BLOCKS = ["docs/capture.md", "docs/redaction.md"].flatMap((page) =>
  readCodeBlocks(readFileSync(join(packageRoot(), page), "utf8"), "ts"),
);

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => folder.remove());

/** Runs a code block, followed by `after`; returns the output. */
function run(block: string, after = ""): string {
  const program = bundleExample(block + after);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    cwd: folder.path,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** The value of a variable after running the only block that contains a text. */
function readVariable(name: string, text: string): unknown[] {
  const found = BLOCKS.filter((block) => block.includes(text));
  expect(found).toHaveLength(1);
  const printed = run(found.join(""), `\nconsole.log("\\n" + JSON.stringify(${name}));\n`);
  const value: unknown = JSON.parse(printed.trimEnd().split("\n").at(-1) ?? "");
  return Array.isArray(value) ? value : [value];
}

test("the pages have code blocks, and each imports what it uses", () => {
  expect(BLOCKS.length).toBeGreaterThan(5);
  for (const block of BLOCKS) expect(block).toContain('from "rollout-wire');
});

test.each(BLOCKS)("block %# of the pages runs by itself", (block) => {
  run(block);
});

test("branches redacted before ranking make valid records", () => {
  const records = readVariable("records", "toPpoRecords(");
  expect(records).toHaveLength(2);
  expect(records.every(isPpoRecord)).toBe(true);
  expect(JSON.stringify(records)).toContain("[redacted:email:");
  expect(JSON.stringify(records)).not.toContain("bob@example.com");
});

test("branches with traces are valid", () => {
  const branches = readVariable("branches", "createTracer(");
  expect(branches.length).toBeGreaterThan(0);
  expect(branches.every(isRolloutBranch)).toBe(true);
  expect(branches).toMatchObject([{ steps: [{ policy_response: { content: "9.9" } }] }]);
});
