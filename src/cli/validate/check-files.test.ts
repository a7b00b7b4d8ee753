import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBranch } from "../../export/testing/create-branch.js";
import { FindingList } from "../../findings/finding-list.js";
import { UserError } from "../../user-error.js";
import { profiles } from "../../validation/profiles.js";
import { createTestFolder } from "../testing/run-in-folder.js";
import { type CheckFilesRequest, checkFiles } from "./check-files.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const good = JSON.stringify(createBranch());
const foreign = good.replace("[]", '[{"tool_name":"search","args":{}}]');
const pieces = Array.from({ length: 40 }, (_, index) =>
  [good, "NaN", foreign, good.replace('"rank":1', '"rank":0')][index % 4]?.concat("\n"),
);
beforeAll(() => {
  folder.write("a", pieces.join(""));
});

async function check(
  request: Partial<CheckFilesRequest>,
  limits = { maxErrors: 5, maxWarnings: 3 },
) {
  const findings = new FindingList(limits);
  const source = { cwd: folder.path, stdin: Readable.from(pieces) };
  await checkFiles(
    { files: ["a", "-"], type: undefined, severities: profiles.strict, workers: 1, ...request },
    findings,
    source,
  );
  const { bytes, warningIds } = findings;
  return { report: findings.toReport("validate"), bytes, warningIds };
}

test("the report is the same whatever the threads and blocks", async () => {
  const inline = await check({});
  expect(inline.report).toMatchObject({
    checked: 80,
    found: { error: 40 + 17, warning: 3 },
    notListed: { error: 52, warning: 0 },
  });
  expect(await check({ workers: 1, blockBytes: 1 })).toEqual(inline);
  expect(await check({ workers: 3, blockBytes: 700 })).toEqual(inline);
});

test("files that hold nothing are an error each", async () => {
  folder.write("empty", "\n");
  const { report } = await check({ files: ["empty"] });
  expect(report.findings).toMatchObject([{ id: "no-records", file: "empty" }]);
});

test("a file that cannot be read, while threads are at work on the one before", async () => {
  const checking = check({ files: ["a", "none"], workers: 2, blockBytes: 1 });
  await expect(checking).rejects.toThrow(UserError);
});
