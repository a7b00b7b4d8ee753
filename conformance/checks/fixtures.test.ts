import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { suiteFileOf } from "../fixtures/fixture.js";
import { bothKinds } from "../fixtures/lints.js";
import { readFixtures } from "../fixtures/load.js";
import { Workspace } from "../workspace.js";
import { fixtures } from "./fixtures.js";

const BRANCH = suiteFileOf("RolloutBranch");
const RANKED = suiteFileOf("RolloutBranchRecord");
const PAIR = suiteFileOf("DpoRecord");

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-fixtures-"));
  mkdirSync(join(root, dirname(BRANCH)), { recursive: true });
  for (const file of [BRANCH, RANKED, PAIR]) cpSync(join(packageRoot(), file), join(root, file));
});

afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}

/** Edits the text of a file; throws if nothing changes. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(root, file), "utf8");
  expect(text).toContain(from);
  write(file, text.replace(from, to));
}

/** Edits a case after its name. */
function editCase(file: string, name: string, from: string, to: string): void {
  const text = readFileSync(join(root, file), "utf8");
  const start = text.indexOf(`"name": "${name}"`);
  const [before, after] = [text.slice(0, start), text.slice(start)];
  expect(after).toContain(from);
  write(file, `${before}${after.replace(from, to)}`);
}

/** Findings as `file:line:column pointer id: message`, except that other types have no suite. */
async function find(): Promise<string[]> {
  const { findings } = await fixtures.run(new Workspace(root));
  return findings
    .filter(({ id }) => id !== bothKinds.id)
    .map(
      ({ file, line, column, pointer, id, message }) =>
        `${file}:${line}:${column} ${pointer} ${id}: ${message}`,
    );
}

/** The position of a text in a file, as `line:column`. */
function place(file: string, text: string, after = ""): string {
  const source = readFileSync(join(root, file), "utf8");
  const offset = source.indexOf(text, source.indexOf(after));
  const before = source.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

test("valid suites are counted", async () => {
  expect(await find()).toEqual([]);
  const { checked } = await fixtures.run(new Workspace(root));
  expect(checked).toEqual([
    { thing: "valid fixture", count: expect.any(Number) },
    { thing: "invalid fixture", count: expect.any(Number) },
  ]);
  for (const { count } of checked) expect(count).toBeGreaterThan(30);
});

describe("outcomes", () => {
  test("a valid fixture that fails, at the value in its case", async () => {
    editCase(BRANCH, "lowest-temperature", '"/temperature": 0', '"/temperature": -1');
    const [found] = await find();
    expect(found).toMatch(
      new RegExp(
        `^${BRANCH}:${place(BRANCH, "-1", "lowest-temperature")} /valid/\\d+/set/~1temperature minimum: lowest-temperature: a valid fixture fails at /temperature: must be >= 0, is -1$`,
      ),
    );
  });

  test("a base that fails, at the value in the base, and the cases that edit it", async () => {
    edit(BRANCH, '"temperature": 0.7', '"temperature": -0.7');
    const [first, ...others] = await find();
    expect(first).toBe(
      `${BRANCH}:${place(BRANCH, "-0.7")} /base/temperature minimum: required-only: a valid fixture fails at /temperature: must be >= 0, is -0.7`,
    );
    expect(others.length).toBeGreaterThan(10);
  });

  test("an invalid fixture that fails differently than expected: both sides are reported", async () => {
    editCase(BRANCH, "empty-task", '"keyword": "minLength"', '"keyword": "type"');
    const at = (text: string): unknown => expect.stringContaining(text);
    expect(await find()).toEqual([
      at(
        "/set/~1task minLength: empty-task: fails in more than it expects, at /task: must not be empty",
      ),
      at("/expect/0 type: empty-task: /task has no such fault"),
    ]);
  });

  test("a keyword with the name of a rule is not a rule", async () => {
    editCase(PAIR, "hash-of-another-task", '"rule":', '"keyword":');
    expect((await find()).map((line) => line.replace(/: .*/, "").replace(/\d+/g, "N"))).toEqual([
      expect.stringMatching(/ \/invalid\/N(\/set\/\S+)? hash-matches-task$/),
      expect.stringMatching(/ \/invalid\/N\/expect\/N hash-matches-task$/),
    ]);
  });

  test("a branch of a rollout is named by its index", async () => {
    editCase(RANKED, "two-branches", '"branch_index": 1', '"branch_index": 0');
    const at =
      /\/rollout\/1\/branch_index branch-index-unique: two-branches: a valid fixture fails at/;
    expect((await find()).find((line) => at.test(line))).toBeDefined();
  });
});

describe("files that are not suites", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["empty", "", "1:1  json: is not JSON: unexpected end of input"],
    ["not JSON", '{\n  "type": x\n}', '2:11  json: is not JSON: unexpected "x"'],
    [
      "not UTF-8",
      Buffer.from('{\n  "type": "\xff"\n}', "latin1"),
      "2:12  json: is not UTF-8: byte 0xff",
    ],
    [
      "with a repeated key",
      '{\n  "type": "x", "base": {"a": 0, "a": 1}\n}',
      '2:33 /base/a duplicate-key: has a second value under the key "a": remove one of the two',
    ],
    ["not an object", "[]", "1:1  type: must be an object, is an empty array"],
    [
      "without cases",
      '{\n  "type": "x", "base": 1, "valid": []\n}',
      '1:1  required: lacks "invalid"',
    ],
    [
      "with a number that exceeds a double",
      '{\n  "type": "x", "base": {"a": 1e400}\n}',
      "2:30 /base/a number-range: nested too deeply, or beyond the range of numbers: use a text instead",
    ],
    [
      "with a case without a reason",
      '{"type": "x", "base": 1, "valid": [\n  {"name": "a"}], "invalid": []}',
      '2:3 /valid/0 required: lacks "why"',
    ],
    [
      "with an unknown key",
      '{"type": "x", "base": 1, "valid": [\n  {"name": "a", "why": "x", "x": 1}], "invalid": []}',
      '2:3 /valid/0 additionalProperties: has "x", which is not allowed here',
    ],
    [
      "with an invalid name",
      '{"type": "x", "base": 1, "valid": [\n  {"name": "A b", "why": "x"}], "invalid": []}',
      '2:12 /valid/0/name pattern: must match ^[a-z0-9]+(-[a-z0-9]+)*$, is "A b"',
    ],
    [
      "with an expectation of another type",
      '{"type": "x", "base": 1, "valid": [\n  {"name": "a", "why": "x", "expect": 1}], "invalid": []}',
      "2:39 /valid/0/expect type: must be an array, is 1",
    ],
  ])("%s", async (_name, content, finding) => {
    write(BRANCH, content);
    expect(await find()).toContain(`${BRANCH}:${finding}`);
    expect(() => readFixtures(root)).toThrow(`${BRANCH}:`);
  });

  test("misplaced files, links, and folders of single fixtures", async () => {
    const strays = [
      "fixtures/valid",
      "fixtures/suites/deeper",
      "fixtures/suites/link.json",
      "fixtures/suites/note.txt",
    ];
    for (const file of ["valid/A/a.json", "suites/deeper/A.json", "suites/note.txt"]) {
      write(`fixtures/${file}`, "{}");
    }
    symlinkSync(join(root, BRANCH), join(root, "fixtures/suites/link.json"));
    const found = (await find()).filter((line) => line.includes(" stray-file: is not a suite"));
    expect(found.map((line) => line.replace(/:1:1 .*/, ""))).toEqual(strays);
  });

  test("no fixtures at all: nothing is counted, and every type has a finding", async () => {
    rmSync(join(root, "fixtures/suites"), { recursive: true });
    const { checked, findings } = await fixtures.run(new Workspace(root));
    expect(checked.map(({ count }) => count)).toEqual([0, 0]);
    expect(findings.length).toBeGreaterThan(0);
  });
});

describe("the lints run, and their findings have positions", () => {
  test("a case with more than one fault", async () => {
    editCase(BRANCH, "empty-task", '{ "/task": "" }', '{ "/task": "", "/session_id": "r-1-b9" }');
    const at = place(BRANCH, '"r-1-b9"');
    expect(await find()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${BRANCH}:${at} /invalid/\\d+/set/~1session_id one-fault: differs from the base, from which it starts, in more than its fault: /session_id$`,
        ),
      ),
    ]);
  });

  test("an edit without its target: neither the case nor cases that edit it are checked", async () => {
    editCase(BRANCH, "lowest-temperature", '"/temperature": 0', '"/none/temperature": 0');
    const [found] = await find();
    expect(found).toMatch(/\/set\/~1none~1temperature edit-applies: names a missing value$/);
  });
});
