import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FixtureCase, type FixtureSuite, isFixtureSuite } from "#generated/index.js";
import { copyRepository, type RepositoryCopy } from "../src/base/testing/copy-repository.js";
import { sampleCases } from "../src/base/testing/run-count.js";
import { run } from "./new-fixture.js";
import { runInProcess, type ScriptOutcome } from "./testing/run-in-process.js";

const PAIRS = "fixtures/suites/DpoRecord.json";

let copy: RepositoryCopy;

beforeAll(() => {
  copy = copyRepository(["fixtures", "schema"]);
});

afterAll(() => copy.remove());

function create(...args: string[]): Promise<ScriptOutcome> {
  return runInProcess(run, args, { root: copy.root });
}

function read(file: string): FixtureSuite {
  const suite: unknown = JSON.parse(readFileSync(join(copy.root, file), "utf8"));
  if (!isFixtureSuite(suite)) throw new Error(`${file} is not a suite`);
  return suite;
}

function lastInvalid(file: string): FixtureCase | undefined {
  return read(file).invalid.at(-1);
}

test("one fixture for a given constraint", async () => {
  const place = ["--type", "PpoRecord", "--pointer", "/provenance/n_gram_hash"];
  const file = "fixtures/suites/PpoRecord.json";
  expect((await create(...place, "--keyword", "pattern")).stdout).toBe(
    `${file}: too-long-n-gram-hash added: complete its description\n`,
  );
  const added = lastInvalid(file);
  expect(added?.why).toContain("must match ^[0-9a-f]{16}$");
  expect(added?.expect).toEqual([{ pointer: "/provenance/n_gram_hash", keyword: "pattern" }]);
  // A second call would create a duplicate.
  expect((await create(...place, "--keyword", "pattern")).stderr).toContain(
    "(too-long-n-gram-hash) is that fixture",
  );
});

test("a given item of an array", async () => {
  const pointer = "/messages/1/tool_calls/0/function/arguments";
  const place = ["--type", "PpoTrainingRecord", "--pointer", pointer];
  const file = "fixtures/suites/PpoTrainingRecord.json";
  expect((await create(...place, "--keyword", "type")).stdout).toContain(`${file}: null-arguments`);
  expect(lastInvalid(file)?.expect).toEqual([{ pointer, keyword: "type" }]);
});

test.each(
  sampleCases<[args: string[], message: string]>(
    [
      [["--type", "Nope", "--keyword", "type"], "Nope is not an entry type: use one of"],
      [
        ["--type", "DpoRecord", "--pointer", "/nope", "--keyword", "type"],
        "does not describe this place",
      ],
      [
        ["--type", "DpoRecord", "--pointer", "chosen", "--keyword", "type"],
        "chosen is not a JSON Pointer: write /chosen",
      ],
      [
        ["--type", "DpoRecord", "--pointer", "/chosen", "--keyword", "enum"],
        "name one of type, minLength",
      ],
      [[], "name one place"],
    ],
    2,
  ),
)("%j is a one-line error", async (args, message) => {
  const { status, stderr } = await create(...args);
  expect(stderr).toContain(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(status).toBe(2);
});

test("an invalid suite must be fixed first", async () => {
  writeFileSync(join(copy.root, PAIRS), "{");
  const { status, stderr } = await create("--type", "DpoRecord", "--keyword", "type");
  expect(stderr).toContain(`${PAIRS}:1:`);
  expect(status).toBe(1);
});
