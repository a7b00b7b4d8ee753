import { expect, test } from "vitest";
import { compareVersions } from "../../src/contract/compat/compare-versions.js";
import { placeChanges, toDiffFindings } from "../../src/contract/compat/findings.js";
import { loadVersion } from "../../src/contract/compat/load-version.js";
import { listBreaks } from "./breaks.js";

function load(schema: object) {
  return loadVersion({ name: "a.schema.json", text: JSON.stringify(schema), others: [] });
}

function compare(before: object, after: object) {
  const versions = { old: load(before), new: load(after) };
  const comparison = compareVersions(versions.old.root, versions.new.root);
  return { comparison, versions, breaks: listBreaks(comparison, versions) };
}

const text = { type: "string" };
const open = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});

test("breaks of records have the same fingerprints as in diff", () => {
  const { comparison, versions, breaks } = compare(open({ a: text }), open({ a: text }, ["a"]));
  expect(breaks).toMatchObject([
    { rule: "R1", direction: "backward", lens: "validate", verdict: "breaking" },
    { rule: "R1", direction: "backward", lens: "declared-writer", verdict: "breaking" },
  ]);
  const findings = placeChanges(comparison.changes, versions)
    .flatMap((placed) => toDiffFindings(placed, versions))
    .filter(({ lens }) => lens === "validate" || lens === "declared-writer");
  expect(breaks.map(({ fingerprint }) => fingerprint)).toEqual(
    findings.map(({ fingerprint }) => fingerprint),
  );
});

const limited = (...values: readonly string[]) => ({ ...text, enum: values });
const union = (...names: readonly string[]) => ({
  $defs: { A: { ...text, pattern: "^a" }, B: { ...text, pattern: "^b" }, C: { type: "null" } },
  properties: { a: { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) } },
});
const referring = (schema: object) => ({ $defs: { A: schema }, $ref: "#/$defs/A" });

function fingerprints(before: object, after: object): string[] {
  return compare(before, after).breaks.map(({ fingerprint }) => fingerprint);
}

test.each<[what: string, before: object, less: object, more: object]>([
  ["values", limited("a", "b", "c"), limited("a", "b"), limited("a")],
  ["other values", limited("a", "b", "c"), limited("a", "b"), limited("x", "y")],
  ["a value of another time", limited("a", "b", "c"), limited("a", "b"), limited("b", "c")],
  ["a range", { minimum: 1 }, { minimum: 2 }, { minimum: 3 }],
  ["what the range was", { minimum: 1 }, { minimum: 3 }, { exclusiveMinimum: 3 }],
  ["a length", text, { ...text, maxLength: 5 }, { ...text, maxLength: 4 }],
  ["types", { type: ["string", "null", "array"] }, { type: ["string", "null"] }, text],
  ["members", union("A", "B", "C"), union("A", "C"), union("A", "B")],
  ["a new property", open({}), open({ a: text }), open({ a: { ...text, maxLength: 1 } })],
  [
    "what a new property refers to",
    { $defs: { A: text }, ...open({}) },
    { $defs: { A: text }, ...open({ a: { $ref: "#/$defs/A" } }) },
    { $defs: { A: { const: 1 } }, ...open({ a: { $ref: "#/$defs/A" } }) },
  ],
])("a change that goes further has a different fingerprint: %s", (_what, before, less, more) => {
  const [approved, found] = [fingerprints(before, less), fingerprints(before, more)];
  expect(approved).not.toEqual([]);
  expect(found.filter((fingerprint) => approved.includes(fingerprint))).toEqual([]);
});

test.each<[what: string, before: object, after: object, same: object]>([
  ["values", limited("a", "b", "c"), limited("a", "b"), limited("b", "a")],
  [
    "types",
    { type: ["string", "null", "array"] },
    { type: ["string", "null"] },
    { type: ["null", "string"] },
  ],
  ["words", open({}), open({ a: text }), open({ a: { ...text, description: "A text." } })],
  [
    "other places",
    referring(text),
    referring(limited("a")),
    { ...referring(limited("a")), title: "A" },
  ],
  [
    "a further member that goes",
    union("A", "B", "C"),
    union("A", "B"),
    { ...union("A", "B"), description: "Two of them." },
  ],
])("equivalent changes have the same fingerprint: %s", (_what, before, after, same) => {
  expect(fingerprints(before, after)).not.toEqual([]);
  expect(fingerprints(before, same)).toEqual(fingerprints(before, after));
});

test("each removed member of a union is a separate break", () => {
  const [one, both] = [["A", "B"], ["A"]].map((names) =>
    fingerprints(union("A", "B", "C"), union(...names)),
  );
  expect(both).toEqual(expect.arrayContaining(one ?? ["?"]));
  expect(both?.length).toBeGreaterThan(one?.length ?? 0);
});

test("a break of code counts if it breaks no records, and names the language", () => {
  const { comparison, breaks } = compare(open({ a: text }), open({}));
  expect(comparison.lenses.typescript.backward).toBe("breaking");
  expect(breaks.every(({ direction }) => direction === "forward")).toBe(true);
  const unused = compare({ ...text, $defs: { A: text } }, { ...text, $defs: { B: text } });
  expect(unused.comparison.bump).toBe("minor");
  expect(unused.breaks.map(({ lens, message }) => [lens, message])).toEqual(
    ["typescript", "python"].map((lens) => [
      lens,
      `/A is no longer a definition: breaks ${lens} (definition-renamed-or-removed)`,
    ]),
  );
});

test("a new property does not break writers of declared properties", () => {
  const { breaks } = compare(open({ a: text }), open({ a: text, b: text }));
  expect(breaks.map(({ direction, lens }) => [direction, lens])).toEqual([
    ["backward", "validate"],
  ]);
});

test("an undecided change counts too, with its reason", () => {
  const { breaks } = compare(open({}), { ...open({}), $ref: "https://a.example/elsewhere" });
  const undecided = breaks.filter(({ verdict }) => verdict === "undecided");
  expect(undecided.map(({ lens }) => lens)).toContain("declared-writer");
  expect(undecided[0]?.detail).toMatch(/./);
});

test("a verdict that no change explains is a separate break", () => {
  const { comparison, versions } = compare(open({ a: text }), open({ a: text }, ["a"]));
  const [first, second] = listBreaks({ ...comparison, changes: [] }, versions);
  expect(first).toMatchObject({ rule: "U1", lens: "validate", direction: "backward" });
  expect(second).toMatchObject({ rule: "U1", lens: "declared-writer", direction: "backward" });
  expect(first?.fingerprint).not.toBe(second?.fingerprint);
});

test("no breaks in a compatible change", () => {
  expect(compare(text, { ...text, title: "x" }).breaks).toEqual([]);
});
