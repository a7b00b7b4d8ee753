import { afterEach, expect, test } from "vitest";
import { linkTypes } from "../../src/contract/codegen/testing/link-types.js";
import { isEnough, measureCoverage } from "../coverage/coverage.js";
import { SmallRepository } from "../fixtures/testing/small-repository.js";
import { printCoverage, writeMissing } from "../gate.js";
import { runChecks } from "../run.js";
import { constraintCoverage } from "./constraint-coverage.js";
import { fixtures } from "./fixtures.js";

let repository: SmallRepository | undefined;
afterEach(() => {
  repository?.remove();
  repository = undefined;
});

function create(schema: object, more?: object): SmallRepository {
  repository = new SmallRepository(
    { task: schema },
    { fixtures: "tests", formats: "assert", ...more },
  );
  return repository;
}

/** Findings of both checks as `pointer message`, and the counts of constraint coverage. */
async function check(
  of: SmallRepository,
): Promise<{ found: string[]; counts: Map<string, number> }> {
  const results = await runChecks([fixtures, constraintCoverage], of.open());
  const counts = results[1]?.checked.map(({ thing, count }) => [thing, count] as const);
  const found = results.flatMap(({ findings, waitsFor }) => [
    ...findings.map(({ pointer, message }) => `${pointer} ${message}`),
    ...(waitsFor === undefined ? [] : [`waits for ${waitsFor}`]),
  ]);
  return { found, counts: new Map(counts) };
}

test("a fixture that is lost is missed, and comes back beside those of others", async () => {
  const task = create({ type: "object", properties: { n: { not: { type: "string" } } } });
  await writeMissing(task.open());
  const suite = JSON.parse(task.read("tests/Task.json"));
  const own = {
    name: "mine",
    why: "Ours.",
    set: { "/n": "text" },
    expect: [{ pointer: "/n", keyword: "not" }],
  };
  task.write("tests/Task.json", JSON.stringify({ ...suite, invalid: [] }));
  expect((await check(task)).found).toContain(
    "/properties/n/not no invalid fixture gives a different result if the schema excludes nothing",
  );
  task.write("tests/Task.json", JSON.stringify({ ...suite, invalid: [own] }));
  await writeMissing(task.open());
  expect((await check(task)).found).toEqual([]);
  expect(JSON.parse(task.read("tests/Task.json")).invalid).toContainEqual(own);
});

test("examples in files count, whatever they fail in", async () => {
  const task = create({ type: "integer" });
  task.write("tests/task/valid/one.json", "1");
  task.write("tests/task/invalid/half.json", "0.5");
  task.write("tests/task/invalid/null.json", "null");
  const { found, counts } = await check(task);
  expect(found).toEqual([]);
  expect([counts.get("mutant"), counts.get("fixture")]).toEqual([4, 3]);
});

test("below the share that the configuration demands it is red, from there on green", async () => {
  const half = create({ type: "integer", maximum: 3 }, { coverage: 0.5 });
  half.write("tests/task/valid/one.json", "1");
  const { found, counts } = await check(half);
  expect(found).toHaveLength(5);
  expect([counts.get("killed mutant"), counts.get("mutant")]).toEqual([1, 6]);
  half.write("tests/task/invalid/half.json", "0.5");
  half.write("tests/task/invalid/four.json", "4");
  expect((await check(half)).found).toEqual([]);
  expect((await printCoverage(half.open())).isEnough).toBe(true);
});

test("a mutant with the same verdict on every record is proved equivalent, and not missed", async () => {
  const task = create({ anyOf: [{ type: "integer" }, { type: "number" }] });
  const { isWhole } = await writeMissing(task.open());
  const { found, counts } = await check(task);
  expect([isWhole, found]).toEqual([true, []]);
  expect(counts.get("equivalent mutant")).toBeGreaterThan(0);
  const { text } = await printCoverage(task.open());
  expect(text).toContain(
    "has no member 1: every record has the same verdict, as the solver of diff proves",
  );
});

test("a type that no finite record is valid for is said, not passed over", async () => {
  const task = create({ type: "object", properties: { next: { $ref: "#" } }, required: ["next"] });
  const { text, isWhole } = await writeMissing(task.open());
  expect(isWhole).toBe(false);
  expect(text).toContain("Task: write a valid record by hand");
});

test("a fixture with a fault: nothing is written", async () => {
  const task = create({ type: "integer" });
  task.write("tests/Task.json", "{}");
  await expect(writeMissing(task.open())).rejects.toThrow(/^tests\/Task\.json:1:1/);
  expect(task.read("tests/Task.json")).toBe("{}");
});

test("a keyword without an operator is not measured, and never counts as killed", () => {
  const definitions = linkTypes({ Task: { type: "string" } });
  const [task] = definitions.values();
  const strange = { ...task?.node, strange: true };
  const linked = {
    ...{ schemas: [], faults: [], idle: [] },
    definitions: new Map(task === undefined ? [] : [["Task", { ...task, node: strange }]]),
    placeOf: () => ({ file: "", pointer: "" }),
  };
  const coverage = measureCoverage(linked, [], { folder: "" });
  expect(coverage.unknownKeywords.map(({ keyword }) => keyword)).toEqual(["strange"]);
  const killed = coverage.mutants.map((each) => ({ ...each, proof: "proved" }));
  expect(isEnough({ ...coverage, mutants: killed }, 0.5)).toBe(false);
});
