import { expect, test } from "vitest";
import { compareVersions, type VersionComparison } from "./compare-versions.js";
import { placeChanges, toDiffFindings } from "./findings.js";
import { loadVersion } from "./load-version.js";
import { compareDecimals, neighboursOf, toDecimalText } from "./schema/exact-numbers.js";

const load = (text: string) => loadVersion({ name: "a.json", text, others: [] }, "annotate");

function compare(before: string, after: string): VersionComparison {
  return compareVersions(load(before).root, load(after).root);
}

const LARGE = "9007199254740993";
const ROUNDED = "9007199254740992";
const LONG = "0.1000000000000000055511151231257827";

test.each<[title: string, before: string, after: string, expected: string]>([
  ["const", `{"const": ${LARGE}}`, `{"const": ${ROUNDED}}`, "undecided undecided"],
  ["const unchanged", `{"const": ${LARGE}}`, `{"const": ${LARGE}.0}`, "compatible compatible"],
  [
    "const in an object",
    `{"const": {"a": [${LARGE}]}}`,
    `{"const": {"a": [${ROUNDED}]}}`,
    "undecided undecided",
  ],
  ["const to enum", `{"const": ${LARGE}}`, `{"enum": [${LARGE}, 1]}`, "compatible breaking"],
  ["enum", `{"enum": ["a", ${LARGE}]}`, `{"enum": [${ROUNDED}, "a"]}`, "undecided undecided"],
  [
    "enum in another order",
    `{"enum": ["a", ${LARGE}, 9007199254740995]}`,
    `{"enum": [9007199254740995e0, ${LARGE}, "a"]}`,
    "compatible compatible",
  ],
  [
    "enum of both",
    `{"enum": [${ROUNDED}]}`,
    `{"enum": [${ROUNDED}, ${LARGE}]}`,
    "compatible undecided",
  ],
  [
    "a decimal",
    '{"properties": {"a": {"const": 0.1}}}',
    `{"properties": {"a": {"const": ${LONG}}}}`,
    "undecided undecided",
  ],
  ["minimum", `{"minimum": ${ROUNDED}}`, `{"minimum": ${LARGE}}`, "undecided compatible"],
  ["maximum", `{"maximum": ${LARGE}}`, `{"maximum": ${ROUNDED}}`, "undecided compatible"],
  [
    "maximum of integers",
    `{"type": "integer", "maximum": ${LARGE}}`,
    `{"type": "integer", "maximum": ${ROUNDED}}`,
    "undecided compatible",
  ],
  [
    "maximum added",
    '{"type": "integer"}',
    '{"type": "integer", "maximum": 9223372036854775807}',
    "breaking compatible",
  ],
  [
    "a maximum unchanged",
    '{"type": "integer", "maximum": 9223372036854775807}',
    '{"type": "integer", "maximum": 9223372036854775807, "minimum": 0}',
    "breaking compatible",
  ],
  [
    "exclusiveMaximum",
    `{"exclusiveMaximum": ${ROUNDED}}`,
    `{"exclusiveMaximum": ${LARGE}}`,
    "compatible undecided",
  ],
  [
    "exclusiveMinimum",
    `{"exclusiveMinimum": ${LONG}}`,
    '{"exclusiveMinimum": 0.1}',
    "compatible undecided",
  ],
  [
    "integers between doubles",
    '{"type": "integer", "exclusiveMinimum": 9007199254740992, "exclusiveMaximum": 9007199254740994}',
    "false",
    "undecided compatible",
  ],
  ["multipleOf", '{"multipleOf": 0.1}', `{"multipleOf": ${LONG}}`, "undecided undecided"],
  ["minLength", `{"minLength": ${LARGE}}`, `{"minLength": ${ROUNDED}}`, "undecided undecided"],
  ["underflow", '{"const": 1e-400}', '{"const": 0}', "undecided undecided"],
  [
    "the same numbers",
    '{"enum": [1.0, 1E2, -0, 0.10]}',
    '{"enum": [0, 1, 100, 1e-1]}',
    "compatible compatible",
  ],
  [
    "the same bounds",
    '{"minimum": 1.0, "maximum": 1E2}',
    '{"minimum": 1, "maximum": 100}',
    "compatible compatible",
  ],
])("%s", (_, before, after, expected) => {
  const { backward, forward, bump } = compare(before, after);
  expect(`${backward} ${forward}`).toBe(expected);
  if (expected !== "compatible compatible") expect(bump).not.toMatch(/none|patch/);
});

test("writers of declared properties are compared by the same digits", () => {
  const object = (text: string) => `{"type": "object", "properties": {"a": {"const": ${text}}}}`;
  const { lenses } = compare(object(LARGE), object(ROUNDED));
  expect(lenses["declared-writer"].backward).toBe("undecided");
  const closed = `{"properties": {"b": {}}, "const": {"b": ${LARGE}}}`;
  expect(compare(closed, closed.replace(LARGE, ROUNDED)).lenses["declared-writer"].backward).toBe(
    "undecided",
  );
});

test("findings show the digits, the reason, and differ in their fingerprints", () => {
  const findings = (before: string, after: string) => {
    const versions = { old: load(before), new: load(after) };
    const { changes } = compareVersions(versions.old.root, versions.new.root);
    return placeChanges(changes, versions).flatMap((each) => toDiffFindings(each, versions));
  };
  const [first] = findings(`{"const": ${LARGE}}`, `{"const": ${ROUNDED}}`);
  expect(first?.message).toContain(`no longer allows ${LARGE}, and now allows ${ROUNDED}`);
  expect(first?.detail).toContain("that no double holds");
  const [other] = findings('{"const": 9007199254740995}', `{"const": ${ROUNDED}}`);
  expect(other?.fingerprint).not.toBe(first?.fingerprint);
  const [limit] = findings(`{"maximum": ${LARGE}}`, `{"maximum": ${ROUNDED}}`);
  expect(limit?.message).toContain(`was maximum ${LARGE}, is maximum ${ROUNDED}`);
  const [named] = findings(`{"default": ${LARGE}}`, `{"default": ${ROUNDED}}`);
  expect(named).toBeUndefined();
  expect(compare(`{"default": ${LARGE}}`, `{"default": ${ROUNDED}}`).changes).toMatchObject([
    { message: "default changed" },
  ]);
});

test("decimals are compared by all of their digits", () => {
  expect(
    ["1.50", "15e-1", "-0.0", "1E2", "0.05", "1e-400", "12345678901234567890.5"].map(toDecimalText),
  ).toEqual(["1.5", "1.5", "0", "100", "5e-2", "1e-400", "12345678901234567890.5"]);
  const sorted = [
    "-1e400",
    "-2",
    "-1.5",
    "0",
    "1e-400",
    "5e-2",
    "0.1",
    LONG,
    "1",
    "12",
    "123",
    LARGE,
    "1e400",
  ].map(toDecimalText);
  const shuffled = sorted.toSorted().toReversed();
  expect(shuffled.toSorted(compareDecimals)).toEqual(sorted);
  expect(neighboursOf(LARGE)).toEqual({ below: 9007199254740992, above: 9007199254740994 });
  expect(neighboursOf(`-${LARGE}`)).toEqual({ below: -9007199254740994, above: -9007199254740992 });
  expect(neighboursOf("1e-400")).toEqual({ below: 0, above: 5e-324 });
  expect(neighboursOf("-1e-400")).toEqual({ below: -5e-324, above: 0 });
});
