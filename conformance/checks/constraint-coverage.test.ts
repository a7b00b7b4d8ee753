import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HOME } from "../../scripts/run-script.js";
import { runChecks } from "../run.js";
import { constraintCoverage } from "./constraint-coverage.js";

const WIRE = "schema/rollout-wire.schema.json";

/** The folders that the check looks at. */
const PARTS = ["schema", "fixtures"];

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-coverage-"));
  for (const part of PARTS) cpSync(join(HOME, part), join(root, part), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true }));

/** Findings on the copy as `file:line:column pointer message`. */
async function find(): Promise<string[]> {
  const [result] = await runChecks([constraintCoverage], root);
  return (result?.findings ?? []).map(
    ({ file, line, column, pointer, message }) => `${file}:${line}:${column} ${pointer} ${message}`,
  );
}

/** Replaces a text of a file, which must be there. */
function edit(from: string, to: string, file = WIRE): void {
  const text = readFileSync(join(root, file), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(root, file), text.replace(from, to));
}

const NO_EMPTY_TASK =
  '"description": "Task of a rollout. Text, not empty.",\n      "type": "string"';

test("every constraint of the repository's own schemas is pinned, and all are counted", async () => {
  const { checked, findings } = await constraintCoverage.run(HOME);
  expect(findings).toEqual([]);
  const counts = new Map(checked.map(({ thing, count }) => [thing, count]));
  expect(counts.get("constraint")).toBeGreaterThan(500);
  expect(counts.get("mutant")).toBeGreaterThan(1000);
  expect(counts.get("fixture")).toBeGreaterThan(400);
});

describe("a fixture that is gone", () => {
  test("an invalid one: the constraint that it pinned, and the fixture that would", async () => {
    rmSync(join(root, "fixtures/invalid/DpoRecord/too-long-n-gram-hash.json"));
    const [result] = await runChecks([constraintCoverage], root);
    const [first, ...others] = result?.findings ?? [];
    expect(first).toMatchObject({
      id: "constraint-coverage",
      severity: "error",
      file: WIRE,
      pointer: "/$defs/TaskHash/pattern",
      message: "no invalid fixture fails otherwise when the schema has no pattern",
    });
    expect(first?.detail).toContain("fixtures/invalid/DpoRecord/too-long-n-gram-hash.json\n{");
    expect(others.map(({ pointer }) => pointer)).toEqual([first?.pointer, first?.pointer]);
  });

  test("a valid one at a boundary", async () => {
    rmSync(join(root, "fixtures/valid/PpoTrainingRecord/highest-reward.json"));
    expect(await find()).toEqual([
      "schema/training-record.schema.json:61:22 /$defs/PpoTrainingRecord/properties/reward/maximum no valid fixture fails when the schema has exclusiveMaximum 1",
    ]);
  });
});

describe("a constraint that is gone from the schema", () => {
  test("a keyword: what lost it, and the fixtures that say so", async () => {
    edit(`${NO_EMPTY_TASK},\n      "minLength": 1`, NO_EMPTY_TASK);
    const found = await find();
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]).toMatch(
      /^schema\/rollout-wire\.schema\.json:\d+:\d+ \/\$defs\/Task fixtures\/invalid\/.* expects that \/task fails minLength here, but it passes$/,
    );
  });

  test("a required member", async () => {
    edit('["objective_score", "rank", "total_score"]', '["objective_score", "total_score"]');
    const found = await find();
    expect(found[0]).toContain(`/$defs/RolloutBranchRecord`);
    expect(found[0]).toContain("expects that the record fails required here, but it passes");
  });
});

test("a constraint that is new is not pinned yet", async () => {
  edit(NO_EMPTY_TASK, `${NO_EMPTY_TASK},\n      "maxLength": 100000`);
  const found = await find();
  expect(found.map((finding) => finding.replace(/:\d+:\d+/, ""))).toEqual([
    `${WIRE} /$defs/Task/maxLength no invalid fixture fails otherwise when the schema has maxLength 100001`,
    `${WIRE} /$defs/Task/maxLength no valid fixture fails when the schema has maxLength 99999`,
  ]);
});

test("a limit that no fixture could reach is told, and nothing of that length is made", async () => {
  edit(NO_EMPTY_TASK, `${NO_EMPTY_TASK},\n      "maxLength": 1000000000000`);
  const { findings } = await constraintCoverage.run(root);
  expect(findings.map(({ pointer, detail }) => [pointer, detail])).toEqual([
    ["/$defs/Task/maxLength", "no fixture could be derived: write one by hand"],
    ["/$defs/Task/maxLength", "no fixture could be derived: write one by hand"],
  ]);
});

describe("schemas that cannot be judged", () => {
  test.each([
    ["a keyword without an operator", '"uniqueItems": true', "/$defs/Task/uniqueItems no mutation"],
    ["a remote $ref", '"$ref": "https://example.org/x"', "nothing is ever fetched"],
    ["a $ref that leads nowhere", '"$ref": "#/$defs/Nope"', 'no such member of "$defs"'],
    ["a recursion without end", '"$ref": "#/$defs/Task"', "refers to itself without end"],
    ["no valid schema", '"pattern": 5', "is not a valid schema of draft 2020-12"],
    ["not JSON", '"minLength": ]', "JSON"],
  ])("%s", async (_, line, message) => {
    edit(NO_EMPTY_TASK, `${NO_EMPTY_TASK},\n      ${line}`);
    const found = await find();
    expect(found[0]).toContain(message);
    expect(found[0]).toMatch(/^schema\/rollout-wire\.schema\.json:\d+:\d+ /);
  });

  test("a pattern that backtracks without end is stopped", async () => {
    edit(NO_EMPTY_TASK, `${NO_EMPTY_TASK},\n      "pattern": "^(a+)+$"`);
    const file = "fixtures/valid/RolloutBranch/required-only.json";
    edit("What is 2+2?", `${"a".repeat(40)}!`, file);
    const [first] = await find();
    expect(first).toMatch(/ \/\$defs\/Task\/pattern takes more than \d+ ms for one text/);
  });
});
