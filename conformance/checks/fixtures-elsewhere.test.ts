import { afterEach, expect, test } from "vitest";
import { SmallRepository } from "../fixtures/testing/small-repository.js";
import { chooseChecks } from "../gate.js";
import { runChecks } from "../run.js";
import { fixtures } from "./fixtures.js";

const TASK = {
  type: "object",
  properties: {
    id: { type: "string", minLength: 1 },
    done: { anyOf: [{ type: "boolean" }, { type: "null" }] },
  },
  required: ["id"],
  $defs: { Note: { type: "string", maxLength: 3 } },
};

let repository: SmallRepository | undefined;
afterEach(() => {
  repository?.remove();
  repository = undefined;
});

/** Counts of valid and invalid fixtures, and findings as `severity file:line:column id message`. */
async function check(
  files: Readonly<Record<string, string>>,
  schemas: Readonly<Record<string, object>> = { "my-task": TASK },
): Promise<{ counts: number[]; found: string[] }> {
  repository = new SmallRepository(schemas);
  for (const [file, text] of Object.entries(files)) repository.write(`tests/data/${file}`, text);
  const [result] = await runChecks([fixtures], repository.open());
  return {
    counts: (result?.checked ?? []).map(({ count }) => count),
    found: (result?.findings ?? []).map(
      ({ severity, file, line, column, id, message }) =>
        `${severity} ${file.replace("tests/data/", "")}:${line}:${column} ${id} ${message}`,
    ),
  };
}

test("examples of a schema, whether its folder is inside of valid and invalid or around them", async () => {
  const { counts, found } = await check({
    "valid/my-task/small.json": '{"id": "a"}',
    "my-task/valid/null.json": '{"id": "a", "done": null}',
    "valid/MyTask.json": '{"id": "a", "done": true}',
    "invalid/my_task/empty.json": '{"id": ""}',
    "my-task/invalid/broken.json": '{"id": ',
    "README.md": "notes",
  });
  expect(found).toEqual([]);
  expect(counts).toEqual([3, 2]);
});

test("an invalid example that is valid, and a valid one that is not, at their places", async () => {
  const { found } = await check({
    "invalid/my-task/meant-well.json": '{"id": "a"}',
    "valid/my-task/empty.json": '{\n  "id": ""\n}',
    "valid/my-task/broken.json": "{",
  });
  expect(found).toEqual([
    "error invalid/my-task/meant-well.json:1:1 valid invalid/my-task/meant-well.json: is in a folder of invalid examples, but is a valid MyTask",
    "error valid/my-task/broken.json:1:1 json valid/my-task/broken.json: a valid fixture fails at the record: is not JSON: unexpected end of input",
    "error valid/my-task/empty.json:2:9 minLength valid/my-task/empty.json: a valid fixture fails at /id: must not be empty",
  ]);
});

test("a key that is there twice is a fault, in an example and in a text; a text may be any value", async () => {
  const twice = '{"id": "", "id": "a"}';
  const suite = {
    ...{ type: "Note", base: "abc", invalid: [] },
    valid: [
      { name: "base", why: "A test." },
      { name: "text", why: "A test.", text: '"ab"' },
    ],
  };
  const { counts, found } = await check({
    "valid/my-task/twice.json": twice,
    "invalid/my-task/twice.json": twice,
    "Note.json": JSON.stringify(suite),
  });
  expect(counts).toEqual([3, 1]);
  expect(found.map((line) => line.replace(/: .*: /, ": "))).toEqual([
    'error valid/my-task/twice.json:1:1 duplicate-key valid/my-task/twice.json: has a second value under the key "id"',
  ]);
});

test("files that nothing checks are said", async () => {
  const { counts, found } = await check(
    {
      "valid/my-task/a.json": '{"id": "a"}',
      "valid/other/a.json": "2",
      "valid/misspelt/a.json": "{}",
      "valid/my-task/a.yaml": "id: a",
      "golden/a.json": "{}",
    },
    { "my-task": TASK, other: { type: "integer" } },
  );
  expect(counts).toEqual([2, 0]);
  expect(found).toEqual([
    "warning golden/a.json:1:1 stray-file is not a suite: fixtures are cases of <Type>.json, the name of a type",
    "error valid/misspelt/a.json:1:1 example-is-type is not checked: neither its folders nor its name is that of a schema: use valid/<schema>/a.json",
    "error valid/my-task/a.yaml:1:1 stray-file is not checked: an example is a .json file",
  ]);
});

test("suites of an entry type and of a definition, in our form, with exact faults", async () => {
  const suite = (
    type: string,
    base: unknown,
    set: object,
    keyword: string,
    pointer: string,
  ): string =>
    JSON.stringify({
      ...{ type, base },
      valid: [{ name: "base", why: "A test." }],
      invalid: [{ name: "bad", why: "A test.", ...set, expect: [{ pointer, keyword }] }],
    });
  const { counts, found } = await check({
    "MyTask.json": suite("MyTask", { id: "a" }, { set: { "/done": 1 } }, "anyOf", "/done"),
    "Note.json": suite("Note", "abc", { record: "abcd" }, "minLength", ""),
    "Nope.json": suite("Nope", 1, { record: 2 }, "type", ""),
  });
  expect(counts).toEqual([2, 2]);
  expect(found.map((line) => line.replace(/:\d+:\d+/, ""))).toEqual([
    'error Nope.json suite-is-type its type "Nope" is not an entry type: use one of MyTask',
    'error Note.json maxLength bad: fails in more than it expects, at the record: must NOT have more than 3 characters, is "abcd"',
    "error Note.json minLength bad: the record has no such fault",
  ]);
});

test("a type without any fixture, and an empty folder", async () => {
  const { counts, found } = await check({});
  expect(counts).toEqual([0, 0]);
  expect(found).toEqual([
    "error schemas/my-task.schema.json:1:1 both-kinds MyTask has no fixture in tests/data: add one, or run check --write-fixtures",
  ]);
});

test("a repository that names no fixtures says so, and the check is in no table", () => {
  repository = new SmallRepository({ "my-task": TASK }, {});
  const workspace = repository.open();
  const ids = chooseChecks({ only: undefined, adapters: undefined }, workspace).map(({ id }) => id);
  expect(ids).not.toContain("fixtures");
  expect(() => chooseChecks({ only: ["fixtures"], adapters: undefined }, workspace)).toThrow(
    '"schemas" in rollout-wire.config.json names no folder of "fixtures"',
  );
});
