import { expect, test } from "vitest";
import { breaksOf } from "./breaks-of.js";
import { compareVersions } from "./compare-versions.js";
import { loadVersion } from "./load-version.js";
import { placeChanges, toDiffFindings } from "./to-diff-findings.js";

function load(schema: object) {
  return loadVersion({ name: "a.schema.json", text: JSON.stringify(schema), others: [] });
}

function compare(before: object, after: object) {
  const versions = { old: load(before), new: load(after) };
  const comparison = compareVersions(versions.old.root, versions.new.root);
  return { comparison, versions, breaks: breaksOf(comparison, versions) };
}

const text = { type: "string" };
const open = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});

test("what breaks records, under the fingerprints that diff prints", () => {
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

test("what only generated code meets is none", () => {
  const { comparison, breaks } = compare(open({ a: text }), open({}));
  expect(comparison.lenses.typescript.backward).toBe("breaking");
  expect(breaks.every(({ direction }) => direction === "forward")).toBe(true);
});

test("writers of declared properties do not meet a new one", () => {
  const { breaks } = compare(open({ a: text }), open({ a: text, b: text }));
  expect(breaks.map(({ direction, lens }) => [direction, lens])).toEqual([
    ["backward", "validate"],
  ]);
});

test("what nobody can say counts as well, with what stopped it", () => {
  const { breaks } = compare(open({}), { ...open({}), $dynamicRef: "#" });
  const undecided = breaks.filter(({ verdict }) => verdict === "undecided");
  expect(undecided.map(({ lens }) => lens)).toContain("declared-writer");
  expect(undecided[0]?.detail).toMatch(/./);
});

test("a verdict that no change explains is a break of its own", () => {
  const { comparison, versions } = compare(open({ a: text }), open({ a: text }, ["a"]));
  const [first, second] = breaksOf({ ...comparison, changes: [] }, versions);
  expect(first).toMatchObject({ rule: "F1", lens: "validate", direction: "backward" });
  expect(second).toMatchObject({ rule: "F1", lens: "declared-writer", direction: "backward" });
  expect(first?.fingerprint).not.toBe(second?.fingerprint);
});

test("nothing for what is compatible", () => {
  expect(compare(text, { ...text, title: "x" }).breaks).toEqual([]);
});
