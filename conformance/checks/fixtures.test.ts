import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HOME } from "../../scripts/run-script.js";
import { copyRepository, type RepositoryCopy } from "../../scripts/testing/copy-repository.js";
import { readFixtures } from "../fixtures/load.js";
import { fixtures } from "./fixtures.js";

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository(["fixtures"]);
});

afterEach(() => copy.remove());

const VALID = "fixtures/valid/RolloutBranch/required-only.json";
const INVALID = "fixtures/invalid/RolloutBranch/empty-task.json";
const KNOWN = "fixtures/known-failures.json";

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(copy.root, file)), { recursive: true });
  writeFileSync(join(copy.root, file), content);
}

/** Changes the text of a file of the copy; the change must be one. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(copy.root, file), "utf8");
  expect(text).toContain(from);
  write(file, text.replace(from, to));
}

/** Findings on the copy as `file:line:column pointer id: message`. */
async function find(): Promise<string[]> {
  const { findings } = await fixtures.run(copy.root);
  return findings.map(
    ({ file, line, column, pointer, id, message }) =>
      `${file}:${line}:${column} ${pointer} ${id}: ${message}`,
  );
}

test("the repository's own fixtures are in order, and are counted", async () => {
  const { checked, findings } = await fixtures.run(HOME);
  expect(findings).toEqual([]);
  expect(checked.map(({ thing }) => thing).slice(0, 2)).toEqual([
    "valid fixture",
    "invalid fixture",
  ]);
  for (const { count } of checked) expect(count).toBeGreaterThan(0);
});

describe("outcomes", () => {
  test("a valid fixture that fails, with the place in its file", async () => {
    edit(VALID, '"temperature": 0.7', '"temperature": -0.7');
    expect(await find()).toContain(
      `${VALID}:7:20 /record/temperature minimum: a valid fixture fails: must be >= 0, is -0.7`,
    );
  });

  test("an invalid fixture that fails otherwise than it says: both sides are told", async () => {
    edit(INVALID, '"keyword": "minLength"', '"keyword": "type"');
    expect(await find()).toEqual([
      `${INVALID}:5:13 /record/task minLength: fails in more than it expects: must not be empty`,
      `${INVALID}:13:5 /expect/0 type: /task has no such fault`,
    ]);
  });

  test("a keyword that has the name of a rule is no rule", async () => {
    const file = "fixtures/invalid/DpoRecord/hash-of-another-task.json";
    edit(file, '"rule":', '"keyword":');
    expect((await find()).map((line) => line.replace(/: .*/, ""))).toEqual([
      `${file}:15:22 /record/provenance/n_gram_hash hash-matches-task`,
      `${file}:18:14 /expect/0 hash-matches-task`,
    ]);
  });

  test("a branch of a rollout is named by its index", async () => {
    const file = "fixtures/valid/RolloutBranchRecord/two-branches.json";
    edit(file, '"branch_index": 1', '"branch_index": 0');
    const at = `${file}:19:23 /rollout/1/branch_index branch-index-unique: a valid fixture fails`;
    expect((await find()).find((line) => line.startsWith(at))).toBeDefined();
  });
});

describe("files that are no fixtures", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["empty", "", "1:1  json: is not JSON: unexpected end of input"],
    ["not JSON", '{\n  "why": x\n}', "2:10  json: is not JSON: unexpected x"],
    [
      "not UTF-8",
      Buffer.from('{\n  "why": "\xff"\n}', "latin1"),
      "2:11  json: is not UTF-8: byte 0xff",
    ],
    [
      "with a key twice",
      '{\n  "why": "x", "record": {"a": 0, "a": 1}\n}',
      '2:34 /record/a duplicate-key: has a second value under the key "a": remove one of the two',
    ],
    ["no object", "[]", "1:1  type: must be an object, is an empty array"],
    ["without a why", '{\n  "record": {}\n}', '1:1  required: lacks "why"'],
    [
      "with a number that no double holds",
      '{\n  "why": "x", "record": {"a": 1e400}\n}',
      "2:31 /record/a number-range: nested too deeply, or beyond the range of numbers: only a text in the file could hold it",
    ],
    [
      "with an unknown key",
      '{\n  "why": "x", "record": {}, "x": 1\n}',
      '1:1  additionalProperties: has "x", which is not allowed here',
    ],
    [
      "with an expectation of another type",
      '{\n  "why": "x", "record": {},\n  "expect": 1\n}',
      "3:13 /expect type: must be an array, is 1",
    ],
  ])("%s", async (_name, content, finding) => {
    write(VALID, content);
    expect(await find()).toEqual([`${VALID}:${finding}`]);
    expect(() => readFixtures(copy.root)).toThrow(`${VALID}:${finding.split(" ")[0]}  `);
  });

  test("files out of place, and links", async () => {
    const paths = [
      "fixtures/valid/RolloutBranch/Camel.json",
      "fixtures/valid/RolloutBranch/deeper/a.json",
      "fixtures/valid/note.txt",
    ];
    for (const path of paths) write(path, "{}");
    symlinkSync(
      join(copy.root, VALID),
      join(copy.root, "fixtures/invalid/RolloutBranch/link.json"),
    );
    const strays = (await find()).filter((line) => line.includes(" stray-file: is no fixture"));
    expect(strays.map((line) => line.replace(/:1:1 .*/, ""))).toEqual([
      "fixtures/valid/RolloutBranch/Camel.json",
      "fixtures/valid/RolloutBranch/deeper",
      "fixtures/valid/note.txt",
      "fixtures/invalid/RolloutBranch/link.json",
    ]);
  });

  test("no fixtures at all: nothing is counted, and every type complains", async () => {
    rmSync(join(copy.root, "fixtures/valid"), { recursive: true });
    rmSync(join(copy.root, "fixtures/invalid"), { recursive: true });
    const { checked, findings } = await fixtures.run(copy.root);
    expect(checked.map(({ count }) => count)).toEqual([0, 0]);
    expect(findings.length).toBeGreaterThan(0);
  });
});

test("the lints run, and their findings have places", async () => {
  edit(INVALID, '"session_id": "r-1-b0"', '"session_id": "r-1-b9"');
  expect(await find()).toEqual([
    `${INVALID}:8:19 /record/session_id one-fault: differs from ${VALID}, the nearest valid fixture, in more than its fault: /session_id`,
  ]);
});

describe("known failures", () => {
  const list = (...files: string[]): void =>
    write(
      KNOWN,
      JSON.stringify({ known_failures: files.map((fixture) => ({ fixture, why: "Soon." })) }),
    );

  test("one that fails is excused and counted", async () => {
    edit(INVALID, '"keyword": "minLength"', '"keyword": "maxLength"');
    list(INVALID);
    const { checked, findings } = await fixtures.run(copy.root);
    expect(findings).toEqual([]);
    expect(checked).toContainEqual({ count: 1, thing: "known failure" });
  });

  test("one that does not fail any more, and one that is no fixture", async () => {
    list(INVALID, "fixtures/invalid/RolloutBranch/gone.json");
    expect(await find()).toEqual([
      `${KNOWN}:1:31 /known_failures/0/fixture known-failure: ${INVALID} does not fail any more: remove the entry`,
      expect.stringMatching(
        /^\S+ \/known_failures\/1\/fixture known-failure: .*gone.json is no fixture/,
      ),
    ]);
  });

  test("one that stands there twice", async () => {
    edit(INVALID, '"keyword": "minLength"', '"keyword": "maxLength"');
    list(INVALID, INVALID);
    expect((await find()).map((line) => line.replace(/^.*: /, ""))).toEqual(["remove the entry"]);
  });

  test("without a reason, or without the list", async () => {
    write(KNOWN, `{"known_failures": [{"fixture": "${INVALID}"}]}`);
    expect(await find()).toEqual([`${KNOWN}:1:21 /known_failures/0 required: lacks "why"`]);
    rmSync(join(copy.root, KNOWN));
    expect(await find()).toEqual([`${KNOWN}:1:1  unreadable: ${KNOWN}: no such file`]);
  });
});
