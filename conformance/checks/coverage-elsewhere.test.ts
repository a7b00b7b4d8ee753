import { expect, test } from "vitest";
import { linkTypes } from "../../src/contract/codegen/testing/link-types.js";
import { isEnough, measureCoverage } from "../coverage/coverage.js";
import { printCoverage, writeMissing } from "../gate.js";
import { checkSuites, useSmallRepository } from "./testing/use-small-repository.js";

const create = useSmallRepository();

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
  expect((await checkSuites(task)).found).toContain(
    "/properties/n/not no invalid fixture gives a different result if the schema excludes nothing",
  );
  task.write("tests/Task.json", JSON.stringify({ ...suite, invalid: [own] }));
  await writeMissing(task.open());
  expect((await checkSuites(task)).found).toEqual([]);
  expect(JSON.parse(task.read("tests/Task.json")).invalid).toContainEqual(own);
});

test("examples in files count, whatever they fail in", async () => {
  const task = create({ type: "integer" });
  task.write("tests/task/valid/one.json", "1");
  task.write("tests/task/invalid/half.json", "0.5");
  task.write("tests/task/invalid/null.json", "null");
  const { found, counts } = await checkSuites(task);
  expect(found).toEqual([]);
  expect([counts.get("mutant"), counts.get("fixture")]).toEqual([4, 3]);
});

test("below the share that the configuration demands it is red, from there on green", async () => {
  const half = create({ type: "integer", maximum: 3 }, { coverage: 0.5 });
  half.write("tests/task/valid/one.json", "1");
  const { found, counts } = await checkSuites(half);
  expect(found).toHaveLength(5);
  expect([counts.get("killed mutant"), counts.get("mutant")]).toEqual([1, 6]);
  half.write("tests/task/invalid/half.json", "0.5");
  half.write("tests/task/invalid/four.json", "4");
  expect((await checkSuites(half)).found).toEqual([]);
  expect((await printCoverage(half.open())).isEnough).toBe(true);
});

test("a mutant with the same verdict on every record is proved equivalent, and not missed", async () => {
  const task = create({ anyOf: [{ type: "integer" }, { type: "number" }] });
  const { isWhole } = await writeMissing(task.open());
  const { found, counts } = await checkSuites(task);
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
