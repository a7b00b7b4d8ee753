import { expect, test } from "vitest";
import { useSmallRepository } from "../testing/use-small-repository.js";
import { changelogEntry } from "./changelog-entry.js";

const prepared = useSmallRepository(changelogEntry);

const text = { type: "string" };
const BEFORE = { A: { type: "object", properties: { a: text } }, B: text };
const AFTER = {
  A: { type: "object", properties: { a: text, b: text, c: text } },
  B: { ...text, description: "New." },
};

/** The findings with these lines in the changelog. */
async function find(...lines: readonly string[]): Promise<unknown[]> {
  const { repository } = prepared;
  repository.publish("1.0.0", BEFORE).present("1.1.0", AFTER);
  repository.write("CHANGELOG.md", ["# Changelog", "", ...lines, ""].join("\n"));
  return (await prepared.find()).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

test("an entry that names the schema, its version, and all changes, on one line or several", async () => {
  expect(await find("- `thing` 1.1.0: `A.b`, `A.c` and `B`.")).toEqual([]);
  expect(
    await find("- `thing` 1.1.0: `A.b`,", "  `A.c` and `B`.", "- `other` 1.0.0: `X`."),
  ).toEqual([]);
});

test.each([
  ["none", []],
  ["an entry of another version", ["- `thing` 1.0.0: `A.b`, `A.c`, `B`"]],
  ["an entry of another schema", ["- `things` 1.1.0: `A.b`, `A.c`, `B`"]],
  ["an entry that is not a list item", ["`thing` 1.1.0: `A.b`, `A.c`, `B`"]],
])("no entry: %s", async (_what, lines) => {
  expect(await find(...lines)).toEqual([
    'CHANGELOG.md:1 has no entry that begins with "- `thing` 1.1.0: `A.b`, `A.c`, `B`"',
  ]);
});

test("changes that it omits, or that only the next entry names", async () => {
  expect(await find("- `thing` 1.1.0: `A.b`.", "- `other` 1.1.0: `A.c`.")).toEqual([
    "CHANGELOG.md:3 does not name `A.c`, which has changed",
    "CHANGELOG.md:3 does not name `B`, which has changed",
  ]);
});

test("a new schema is named by its record types", async () => {
  prepared.repository.present("1.0.0", BEFORE).write("CHANGELOG.md", "- `thing` 1.0.0: `A`.\n");
  expect(await prepared.find()).toMatchObject([{ message: expect.stringContaining("`B`") }]);
});

test("no changelog at all", async () => {
  prepared.repository.present("1.0.0", BEFORE);
  await expect(prepared.find()).rejects.toThrow("CHANGELOG.md: no such file");
});
