import { expect, test } from "vitest";
import { addEntries, readChangelog } from "../changelog.js";
import { useSmallRepository } from "../testing/use-small-repository.js";
import { changelogEntry } from "./changelog-entry.js";

const prepared = useSmallRepository(changelogEntry);

const text = { type: "string" };
const BEFORE = { A: { type: "object", properties: { a: text } }, B: text };
const AFTER = {
  A: { type: "object", properties: { a: text, b: text, c: text } },
  B: { ...text, description: "New." },
};

const SECTION = "## 0.1.0 (unreleased)";

const ENTRY = [
  "- `thing` 1.1.0: `A.b`, `A.c`, `B`. Readers of 1.1.0 reject records of 1.0.0 only where these hold something undeclared",
  "  (`A`).",
];

/** Publishes a version and changes the schema; these are the lines of the changelog. */
function prepare(...lines: readonly string[]): void {
  const { repository } = prepared;
  repository.publish("1.0.0", BEFORE).present("1.1.0", AFTER);
  repository.write("CHANGELOG.md", ["# Changelog", "", ...lines, ""].join("\n"));
}

async function find(...lines: readonly string[]): Promise<unknown[]> {
  prepare(...lines);
  return (await prepared.find()).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

/** The changelog after the release, without its title. */
function write(...lines: readonly string[]): readonly string[] {
  prepare(...lines);
  const text = readChangelog(prepared.repository.root);
  return addEntries(text, [prepared.release()]).trimEnd().split("\n").slice(2);
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
])("no entry, so that the release writes it: %s", async (_what, lines) => {
  expect(await find(SECTION, ...lines)).toEqual([]);
  const { shown } = await changelogEntry.check(prepared.repository.root, prepared.release());
  expect(shown?.split("\n")).toEqual(["CHANGELOG.md gets", ...ENTRY.map((line) => `  ${line}`)]);
});

test("what is written fulfils the requirement, and is not written twice", async () => {
  const once = write(SECTION);
  expect(await find(...once)).toEqual([]);
  expect(write(...once)).toEqual(once);
});

test.each([
  [
    "after the last schema",
    ["### Schemas", "", "- `b` 1.0.0: `B`,", "  `C`.", "", "### Package"],
    4,
  ],
  ["after the first published ones", ["- `b/v1`: `B`.", "- `diff` now does more."], 1],
  ["at the top of the section", ["### Package", "", "- `diff` now does more."], 0],
])("the entry stands %s", (_what, lines, at) => {
  const heading = at === 0 ? ["", "### Schemas", ""] : [];
  const older = ["", "## 0.0.1 (2026-01-01)", "", "- `thing` 1.0.0: `A`."];
  expect(write(SECTION, ...lines, ...older)).toEqual([
    SECTION,
    ...lines.slice(0, at),
    ...heading,
    ...ENTRY,
    ...lines.slice(at),
    ...older,
  ]);
});

test("a changelog without an unreleased section", async () => {
  expect(await find("## 0.1.0 (2026-01-01)")).toEqual([
    'CHANGELOG.md:1 has no section for the entry: open one, such as "## 0.2.0 (unreleased)", above the newest release',
  ]);
});

test("changes that it omits, or that only the next entry names", async () => {
  const advice = "add it, or delete the entry, and it is written anew";
  expect(await find("- `thing` 1.1.0: `A.b`.", "- `other` 1.1.0: `A.c`.")).toEqual([
    `CHANGELOG.md:3 does not name \`A.c\`, which has changed: ${advice}`,
    `CHANGELOG.md:3 does not name \`B\`, which has changed: ${advice}`,
  ]);
});

test("a new schema is named by its record types", async () => {
  prepared.repository.present("1.0.0", BEFORE).write("CHANGELOG.md", "- `thing` 1.0.0: `A`.\n");
  expect(await prepared.find()).toMatchObject([{ message: expect.stringContaining("`B`") }]);
  const [entry] = addEntries(`${SECTION}\n`, [prepared.release()]).split("\n").slice(4);
  expect(entry).toBe("- `thing` 1.0.0: `A`, `B`. The first published version.");
});

test("no changelog at all", async () => {
  prepared.repository.present("1.0.0", BEFORE);
  await expect(prepared.find()).rejects.toThrow("CHANGELOG.md: no such file");
});
