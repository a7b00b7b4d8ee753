import { expect, test } from "vitest";
import type { Finding } from "../../../base/findings/finding.js";
import { readVersion } from "../../../base/json/entry-type.js";
import { findFix } from "./fixes.js";

const finding: Finding = {
  id: "required",
  severity: "error",
  file: "it's.jsonl",
  line: 1,
  column: 1,
  pointer: "",
  message: 'lacks "rank"',
};

const PROGRAM = "npx --no-install rollout-wire";
const RANK = String.raw`npx --no-install rollout-wire rank --input 'it'\''s.jsonl' --output ranked.jsonl`;

test("records without ranks are ranked, whatever type is the closest", () => {
  const fix = (cause: string) => findFix({ ...finding, cause }, PROGRAM);
  expect(fix("rank")).toBe(RANK);
  expect(fix("closest to RolloutBranchRecord: \nrank")).toBe(RANK);
  expect(fix("task")).toBeUndefined();
  // The provenance of a pair has objective scores too.
  const inPair = { ...finding, pointer: "/provenance", cause: "objective_score" };
  expect(findFix(inPair, PROGRAM)).toBeUndefined();
});

test("records of an older version are upgraded, whatever else is constant", () => {
  const { problem = "" } = readVersion("rollout-wire/v0") ?? {};
  const fix = (cause: string) => findFix({ ...finding, id: "const", cause }, PROGRAM);
  const [, version = ""] = /the (\S+) of this program/.exec(problem) ?? [];
  expect(fix(`must be "${version}", ${problem}`)).toBe(
    `${PROGRAM} migrate --to ${version} 'it'\\''s.jsonl' --output upgraded.jsonl`,
  );
  expect(fix('must be "wasmagent-rollout"')).toBeUndefined();
});

test("wrong ranks are ranked again, and other minimums are not", () => {
  expect(findFix({ ...finding, id: "rank-permutation" }, PROGRAM)).toBe(RANK);
  expect(findFix({ ...finding, id: "minimum", pointer: "/rank" }, PROGRAM)).toBe(RANK);
  expect(findFix({ ...finding, id: "minimum", pointer: "/seed" }, PROGRAM)).toBeUndefined();
});

test("a hash that is the beginning of the task has a fix, and one of another task has none", () => {
  const fix = (cause: string) => findFix({ ...finding, id: "hash-matches-task", cause }, PROGRAM);
  expect(fix("first characters of the task")).toContain("hexdigest()[:16]");
  expect(fix("")).toBeUndefined();
});

test("a number that JSON does not have has a fix, and other faults of JSON have none", () => {
  const fix = (message: string) => findFix({ ...finding, id: "json", message }, PROGRAM);
  expect(fix('not JSON: unexpected NaN in "extra"')).toContain("write null");
  expect(fix("not JSON: unexpected end of input")).toBeUndefined();
});
