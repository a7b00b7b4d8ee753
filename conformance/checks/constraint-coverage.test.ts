import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SCHEMA, SmallCheckout } from "../coverage/testing/small-checkout.js";
import { runChecks } from "../run.js";
import { Workspace } from "../workspace.js";
import { constraintCoverage } from "./constraint-coverage.js";

let checkout: SmallCheckout;
beforeEach(() => {
  checkout = new SmallCheckout();
});
afterEach(() => checkout.remove());

/** Findings as `file:line:column pointer message`. */
async function find(): Promise<string[]> {
  const [result] = await runChecks([constraintCoverage], checkout.root);
  return (result?.findings ?? []).map(
    ({ file, line, column, pointer, message }) => `${file}:${line}:${column} ${pointer} ${message}`,
  );
}

async function count(): Promise<ReadonlyMap<string, number>> {
  const { checked, findings } = await constraintCoverage.run(new Workspace(checkout.root));
  expect(findings).toEqual([]);
  return new Map(checked.map(({ thing, count }) => [thing, count]));
}

/** The start of AdapterRequest.type, after which a test inserts keywords. */
const TYPE = 'such as RolloutBranch.",\n          "type": "string"';
const AT_TYPE = "/$defs/AdapterRequest/properties/type";

test("every constraint is pinned by fixtures, and counted", async () => {
  const counts = await count();
  expect(counts.get("schema")).toBe(1);
  expect(counts.get("constraint")).toBeGreaterThan(30);
  expect(counts.get("mutant")).toBeGreaterThan(60);
  expect(counts.get("fixture")).toBeGreaterThan(20);
});

test("a schema of tier tool is not looked at, and nothing else is red", async () => {
  checkout.register("tool");
  const [result] = await runChecks([constraintCoverage], checkout.root);
  expect(result?.findings.map(({ id, message }) => [id, message])).toEqual([
    ["nothing-checked", "examined no constraint"],
  ]);
  checkout.register("wire");
  expect((await count()).get("schema")).toBe(1);
});

describe("a removed fixture", () => {
  test("an invalid one: the constraint that it pinned, with a replacement", async () => {
    checkout.removeCase("AdapterVerdict", "padded-pointer");
    const [result] = await runChecks([constraintCoverage], checkout.root);
    const [first, ...others] = result?.findings ?? [];
    for (const { pointer } of others) expect(pointer).toBe(first?.pointer);
    expect(first).toMatchObject({
      id: "constraint-coverage",
      severity: "error",
      file: SCHEMA,
      pointer: "/$defs/AdapterFault/properties/pointer/pattern",
      message: expect.stringContaining("no invalid fixture gives a different result if the schema"),
    });
    const [place, open, name] = first?.detail?.split("\n") ?? [];
    expect([place, open]).toEqual(["fixtures/suites/AdapterVerdict.json#/invalid", "{"]);
    expect(name).toContain("padded-pointer");
  });

  test("a valid one at a boundary", async () => {
    checkout.removeCase("AdapterVerdict", "shortest-keyword");
    const found = await find();
    expect(found.map((line) => line.replace(/:\d+:\d+/, ""))).toEqual([
      `${SCHEMA} /$defs/AdapterFault/properties/keyword/minLength no valid fixture fails if the schema has minLength 2`,
    ]);
  });
});

describe("a constraint removed from the schema", () => {
  test("a keyword: the place that lost it, and the fixtures that show it", async () => {
    checkout.edit(`${TYPE},\n          "minLength": 1`, TYPE);
    const [first] = await find();
    expect(first).toMatch(
      /^schema\/adapter-protocol\.schema\.json:\d+:\d+ \/\$defs\/AdapterRequest\/properties\/type fixtures\/suites\/AdapterRequest\.json#\/invalid\/\d+ \(empty-type\) expects that \/type fails minLength here, but it passes$/,
    );
  });

  test("a required member", async () => {
    checkout.edit('["id", "valid"]', '["valid"]');
    const [first] = await find();
    expect(first).toContain("/$defs/AdapterVerdict");
    expect(first).toContain("expects that the record fails required here, but it passes");
  });
});

test("a new constraint is not pinned yet", async () => {
  checkout.edit(TYPE, `${TYPE},\n          "maxLength": 1000`);
  const found = await find();
  expect(found.map((line) => line.replace(/:\d+:\d+/, ""))).toEqual([
    `${SCHEMA} ${AT_TYPE}/maxLength no invalid fixture gives a different result if the schema has maxLength 1001`,
    `${SCHEMA} ${AT_TYPE}/maxLength no valid fixture fails if the schema has maxLength 999`,
  ]);
});

test("a limit too large for a fixture is reported, and no value of that size is created", async () => {
  checkout.edit(TYPE, `${TYPE},\n          "maxLength": 1000000000000`);
  const { findings } = await constraintCoverage.run(new Workspace(checkout.root));
  expect(findings.map(({ pointer, detail }) => [pointer, detail])).toEqual([
    [`${AT_TYPE}/maxLength`, "no fixture could be derived: write one by hand"],
    [`${AT_TYPE}/maxLength`, "no fixture could be derived: write one by hand"],
  ]);
});

describe("schemas that cannot be checked", () => {
  test.each([
    ["a remote $ref", '"$ref": "https://example.org/x"', "nothing is ever fetched"],
    ["a $ref without a target", '"$ref": "#/$defs/Nope"', "leads nowhere: #/$defs/Nope"],
    ["no valid schema", '"pattern": 5', "is not a schema of draft 2020-12"],
    ["not JSON", '"minLength": ]', "JSON"],
  ])("%s", async (_, line, message) => {
    checkout.edit(TYPE, `${TYPE},\n          ${line}`);
    const [first] = await find();
    expect(first).toContain(message);
    expect(first).toMatch(/^schema\/adapter-protocol\.schema\.json:\d+:\d+ /);
  });

  test("an endless recursion", async () => {
    const id = '"RequestId": {';
    checkout.edit(id, `${id} "$ref": "#/$defs/RequestId",`);
    const [first] = await find();
    expect(first).toContain("refers to itself, and says nothing of any value");
  });

  test("a pattern with catastrophic backtracking is stopped", async () => {
    checkout.edit(TYPE, `${TYPE},\n          "pattern": "^(a+)+$"`);
    checkout.changeSuite("AdapterRequest", (suite) => ({
      ...suite,
      base: { id: 0, type: `${"a".repeat(40)}!`, record: {} },
    }));
    const [first] = await find();
    expect(first).toMatch(/\/properties\/type\/pattern can take very long on some texts/);
  });
});
