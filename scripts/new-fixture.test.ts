import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./new-fixture.js";
import { copySchemas, type RepositoryCopy } from "./testing/copy-repository.js";
import { runInProcess } from "./testing/run-in-process.js";

const HASH = "fixtures/invalid/DpoRecord/too-long-n-gram-hash.json";

const SCHEMAS = ["rollout-trace", "rollout-wire", "training-record"];
/** The fixtures of the record types of these schemas, and of the two that every copy has. */
const FIXTURES = [
  ...["DpoRecord", "PpoRecord", "RolloutBranch", "RolloutBranchRecord", "RolloutTraceStep"],
  ...["DpoTrainingRecord", "PpoTrainingRecord", "ExportReport", "Registry"],
].flatMap((type) => [`fixtures/valid/${type}`, `fixtures/invalid/${type}`]);

let copy: RepositoryCopy;

beforeAll(async () => {
  copy = copySchemas(SCHEMAS, FIXTURES);
  // Some constraints are pinned by fixtures of schemas that are not in the copy.
  await create("--missing");
});

afterAll(() => copy.remove());

const create = (...args: string[]) => runInProcess(run, args, { root: copy.root });

test("--missing writes what is missing, the same to the byte, and nothing when nothing is", async () => {
  const before = readFileSync(join(copy.root, HASH), "utf8");
  rmSync(join(copy.root, HASH));
  expect((await create("--missing")).stdout).toBe("1 fixture written, read what they say\n");
  expect(readFileSync(join(copy.root, HASH), "utf8")).toBe(before);
  expect((await create("--missing")).stdout).toBe("0 fixtures written, read what they say\n");
});

test("one fixture for a constraint that is named", async () => {
  const place = ["--type", "PpoRecord", "--pointer", "/provenance/n_gram_hash"];
  const file = "fixtures/invalid/PpoRecord/too-long-n-gram-hash.json";
  expect((await create(...place, "--keyword", "pattern")).stdout).toBe(
    `${file} written: complete what it says\n`,
  );
  const { why, expect: faults } = JSON.parse(readFileSync(join(copy.root, file), "utf8"));
  expect(why).toContain("must match ^[0-9a-f]{16}$");
  expect(faults).toEqual([{ pointer: "/provenance/n_gram_hash", keyword: "pattern" }]);
  // The same once more would be a duplicate.
  expect((await create(...place, "--keyword", "pattern")).stderr).toContain(
    `${file} is that fixture`,
  );
});

test("of the items of an array, the one that is named", async () => {
  const pointer = "/messages/1/tool_calls/0/function/arguments";
  const place = ["--type", "DpoTrainingRecord", "--pointer", pointer];
  const file = "fixtures/invalid/DpoTrainingRecord/null-function-arguments.json";
  expect((await create(...place, "--keyword", "type")).stdout).toContain(file);
  const { expect: faults } = JSON.parse(readFileSync(join(copy.root, file), "utf8"));
  expect(faults).toEqual([{ pointer, keyword: "type" }]);
  // It stands beside a valid fixture, and so is in order.
  expect((await create("--missing")).stdout).toBe("0 fixtures written, read what they say\n");
});

test.each([
  [["--type", "Nope", "--keyword", "type"], "Nope is no entry type: name one of"],
  [
    ["--type", "DpoRecord", "--pointer", "/nope", "--keyword", "type"],
    "says nothing of this place",
  ],
  [
    ["--type", "DpoRecord", "--pointer", "chosen", "--keyword", "type"],
    "chosen is no JSON Pointer: write /chosen",
  ],
  [
    ["--type", "DpoRecord", "--pointer", "/chosen", "--keyword", "enum"],
    "name one of type, minLength",
  ],
  [[], "give --missing, or one place"],
])("%j is a mistake in one line", async (args, message) => {
  const { status, stderr } = await create(...args);
  expect(stderr).toContain(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(status).toBe(2);
});

test("a fixture that is not in order has to be mended first", async () => {
  const file = "fixtures/valid/RolloutBranch/broken.json";
  writeFileSync(join(copy.root, file), "{");
  const { status, stderr } = await create("--missing");
  expect(stderr).toContain(`${file}:1:`);
  expect(status).toBe(1);
});
