import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json/value.js";
import {
  type ChangedSchema,
  listChangedNames,
  printChangelogEntry,
  printFirstEntry,
} from "./changelog-entry.js";
import { compareVersions } from "./compare-versions.js";
import { loadVersion } from "./load-version.js";

const text = { type: "string" };
const A = { type: "object", properties: { a: text }, required: ["a"] };
const SUBJECT = { name: "thing", from: "1.0.0", to: "1.1.0" };

function document(definitions: JsonObject): JsonObject {
  const anyOf = Object.keys(definitions).map((name) => ({ $ref: `#/$defs/${name}` }));
  return { anyOf, $defs: definitions };
}

function entryOf(before: JsonObject, after: JsonObject, subject: ChangedSchema = SUBJECT): string {
  const [older, newer] = [before, after].map(
    (value) => loadVersion({ name: "", text: JSON.stringify(value), others: [] }).root,
  );
  if (older === undefined || newer === undefined) throw new Error("two versions");
  const names = listChangedNames(before, after);
  return printChangelogEntry(subject, names, compareVersions(older, newer));
}

test.each<[what: string, after: JsonObject, said: string]>([
  ["wording", { A: { ...A, description: "New." } }, "`A`. Nothing breaks."],
  [
    "a declared property",
    { A: { ...A, properties: { a: text, b: text } } },
    "`A.b`. Readers of 1.1.0 reject records of 1.0.0 only where these hold something undeclared (`A`).",
  ],
  [
    "a required property",
    { A: { ...A, properties: { a: text, b: text }, required: ["a", "b"] } },
    "`A.b`. Readers of 1.1.0 reject records of 1.0.0 (`A`). Code that uses its TypeScript and Python types must change.",
  ],
  [
    "a property that may be missing",
    { A: { ...A, required: [] } },
    "`A.a`. Readers of 1.0.0 reject records of 1.1.0 (`A`), so readers move first. Code that uses its TypeScript and Python types must change.",
  ],
])("%s: what breaks for whom", (_what, after, said) => {
  const entry = entryOf(document({ A }), document(after));
  expect(entry.replaceAll("\n  ", " ")).toBe(`- \`thing\` 1.1.0: ${said}\n`);
});

test("a type is named as in the version that writes it", () => {
  const B = { ...A, required: ["a", "b"], properties: { a: text, b: text } };
  expect(entryOf(document({ A }), document({ B }))).toContain("records of 1.0.0 (`A`). ");
});

test("the wording of the document as a whole has no name", () => {
  const entry = entryOf({ ...document({ A }), title: "old" }, { ...document({ A }), title: "new" });
  expect(entry).toBe("- `thing` 1.1.0: wording. Nothing breaks.\n");
});

test("versions that nobody numbered", () => {
  const unknown = { name: "thing", from: undefined, to: undefined };
  expect(entryOf(A, { ...A, required: ["a", "b"] }, unknown)).toMatch(
    /^- `thing` \(major\): `b`\. New readers reject old records\./,
  );
});

test("definitions of draft 7, and properties of the document", () => {
  const before = { definitions: { A }, properties: { x: text } };
  const after = { definitions: { A: { ...A, required: [] } }, properties: { y: text } };
  expect(listChangedNames(before, after)).toEqual(["A.a", "x", "y"]);
});

test("lines are broken between words, not within code, whatever a name contains", () => {
  const names = Array.from({ length: 12 }, (_, index) => `a long \`name\` ${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, text]));
  const entry = entryOf(document({ A }), document({ A: { ...A, properties } }));
  expect(entry.split("\n").every((line) => line.length <= 120)).toBe(true);
  for (const name of names) expect(entry).toContain(`\`\` A.${name} \`\``);
});

test("a schema without a version before it is named by its record types", () => {
  expect(printFirstEntry({ ...SUBJECT, to: "1.0.0" }, ["A", "B"])).toBe(
    "- `thing` 1.0.0: `A`, `B`. The first published version.\n",
  );
});
