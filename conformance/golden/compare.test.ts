import { expect, test } from "vitest";
import { compareJsonl } from "./compare.js";

const FILE = "expected.jsonl";

interface Pair {
  readonly id?: string;
  readonly chosen: unknown;
}

function toText(...pairs: readonly Pair[]): string {
  const records = pairs.map(({ id, chosen }) => ({
    chosen,
    ...(id !== undefined && { provenance: { rollout_id: id } }),
  }));
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Each finding as `line:column pointer message`, with its detail below. */
function compare(expected: readonly Pair[], actual: readonly Pair[]): string[] {
  return compareJsonl(FILE, toText(...expected), toText(...actual)).map(
    ({ file, line, column, pointer, message, detail }) => {
      expect(file).toBe(FILE);
      return `${line}:${column} ${pointer} ${message}\n${detail}`;
    },
  );
}

const a = { id: "a", chosen: "one" };
const b = { id: "b", chosen: "two" };
const c = { id: "c", chosen: "three" };

test("equal outputs", () => {
  expect(compare([a, b], [a, b])).toEqual([]);
});

test("a changed field: rollout, field and position", () => {
  expect(compare([a, b, c], [a, { ...b, chosen: "2" }, c])).toEqual([
    '2:11 /chosen rollout b, field chosen\n- "two"\n+ "2"',
  ]);
});

test("all changes, not only the first one", () => {
  const changed = compare([a, b, c], [{ ...a, chosen: [1] }, b, { ...c, chosen: null }]);
  expect(changed).toEqual([
    '1:11 /chosen rollout a, field chosen\n@@ -1,1 +1,3 @@\n- "one"\n+ [\n+   1\n+ ]',
    '3:11 /chosen rollout c, field chosen\n- "three"\n+ null',
  ]);
});

test("multi-line text is compared line by line, and cannot inject terminal escapes", () => {
  const long = ["1", "2", "3", "4", "5", "6"].join("\n");
  const [finding] = compare(
    [{ id: "a", chosen: long }],
    [{ id: "a", chosen: long.replace("5", "\u001b5") }],
  );
  expect(finding).toBe(
    "1:11 /chosen rollout a, field chosen\n@@ -4,3 +4,3 @@\n  4\n- 5\n+ \\u001b5\n  6",
  );
});

test("a removed or added record does not affect the others", () => {
  expect(compare([a, b, c], [a, c])).toEqual([
    expect.stringMatching(
      /^2:1 {2}rollout b is no longer written\n@@ .* @@\n- \{\n- {3}"chosen": "two",/,
    ),
  ]);
  expect(compare([a, c], [a, b, c])).toEqual([
    expect.stringMatching(/^2:1 {2}rollout b is new\n@@ .* @@\n\+ \{/),
  ]);
  expect(compare([a], [a, b])).toEqual([expect.stringMatching(/^2:1 {2}rollout b is new/)]);
});

test("changed records are distinguished from added and removed ones", () => {
  const heads = compare([a, b], [{ ...b, chosen: "2" }, c]).map((text) => text.split("\n")[0]);
  expect(heads).toEqual([
    "1:1  rollout a is no longer written",
    "2:11 /chosen rollout b, field chosen",
    "1:1  rollout c is new",
  ]);
});

test("records without a rollout are named by their line", () => {
  expect(compare([{ chosen: 1 }, { chosen: 2 }], [{ chosen: 1 }, { chosen: 3 }])).toEqual([
    "2:11 /chosen record 2, field chosen\n- 2\n+ 3",
  ]);
});

test("the same values in a different order or spelling", () => {
  const [finding] = compareJsonl(FILE, '{"a":1,"b":2}\n', '{"b":2,"a":1}\n');
  expect(finding).toMatchObject({
    line: 1,
    message: "record 1: the same values, formatted differently",
    detail: '- {"a":1,"b":2}\n+ {"b":2,"a":1}',
  });
});

test("a line that is not JSON", () => {
  const [finding] = compareJsonl(FILE, '{"a":1\n', '{"a":1}\n');
  expect(finding).toMatchObject({ line: 1, message: "record 1 is not JSON" });
});
