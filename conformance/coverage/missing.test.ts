import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addCases } from "../fixtures/suite.js";
import { createMissingFixtures, proposeFixture, type WantedFixture } from "./missing.js";
import { SmallCheckout } from "./testing/small-checkout.js";

let checkout: SmallCheckout;
beforeEach(() => {
  checkout = new SmallCheckout();
});
afterEach(() => checkout.remove());

const SUITE = "fixtures/suites/AdapterVerdict.json";
const MISSING = "padded-pointer";

test("missing fixtures are recreated byte for byte, and none if none is missing", () => {
  const before = checkout.readSuite("AdapterVerdict");
  const gone = before.invalid.find(({ name }) => name === MISSING);
  checkout.removeCase("AdapterVerdict", MISSING);
  const { created, stuck } = createMissingFixtures(checkout.measure());
  expect(created.map(({ type, kind, value }) => ({ type, kind, value }))).toEqual([
    { type: "AdapterVerdict", kind: "invalid", value: gone },
  ]);
  expect(stuck).toEqual([]);
  addCases(checkout.root, created);
  expect(createMissingFixtures(checkout.measure()).created).toEqual([]);
});

test("a type without a suite: a valid fixture, and all other missing ones", () => {
  const file = "fixtures/suites/AdapterSummary.json";
  rmSync(join(checkout.root, file));
  addCases(checkout.root, createMissingFixtures(checkout.measure()).created);
  const { base, valid, invalid } = checkout.readSuite("AdapterSummary");
  expect([base, valid[0]?.name]).toEqual([{ summary: { count: 0 } }, "smallest"]);
  expect(invalid.length).toBeGreaterThan(3);
  expect(createMissingFixtures(checkout.measure()).created).toEqual([]);
});

function propose(wanted: Partial<WantedFixture>) {
  const place = { type: "AdapterVerdict", pointer: "/id", keyword: "minimum" };
  return proposeFixture({ ...place, direction: "loosened", ...wanted }, checkout.measure());
}

test("one fixture for a given constraint", () => {
  checkout.removeCase("AdapterVerdict", MISSING);
  const { file, kind, value } = propose({ pointer: "/errors/0/pointer", keyword: "pattern" });
  expect([file, kind]).toEqual([SUITE, "invalid"]);
  expect(value.why).toContain("must match ^(/([^~/]|~[01])*)*$");
  expect(value.expect).toEqual([{ pointer: "/errors/0/pointer", keyword: "pattern" }]);
  expect(Object.keys(value.set ?? {})).toEqual(["/errors/0/pointer"]);
});

test("a second call would create a duplicate", () => {
  checkout.removeCase("AdapterVerdict", MISSING);
  const wanted = { pointer: "/errors/0/pointer", keyword: "pattern" };
  addCases(checkout.root, [propose(wanted)]);
  expect(() => propose(wanted)).toThrow(
    /^fixtures\/suites\/AdapterVerdict\.json#\/invalid\/\d+ \(/,
  );
});

test("a given item of an array", () => {
  const fault = { pointer: "/a", keyword: "type" };
  checkout.changeSuite("AdapterVerdict", (suite) => ({
    ...suite,
    base: { id: 0, valid: false, errors: [fault, fault] },
  }));
  const pointer = "/errors/1/keyword";
  const { value } = propose({ pointer, keyword: "type" });
  expect(value.expect).toEqual([{ pointer, keyword: "type" }]);
});

test("a valid fixture at the boundary", () => {
  checkout.removeCase("AdapterVerdict", "shortest-keyword");
  const wanted = { pointer: "/errors/0/keyword", keyword: "minLength" } as const;
  expect(propose({ ...wanted, direction: "tightened" })).toMatchObject({
    kind: "valid",
    value: { name: "shortest-keyword" },
  });
});

test.each<[Partial<WantedFixture>, string]>([
  [{ type: "Nope" }, "Nope is not an entry type: use one of"],
  [{ pointer: "/nope" }, "does not describe this place"],
  [{ pointer: "id" }, "id is not a JSON Pointer: write /id"],
  [{ keyword: "enum" }, "name one of $ref, type"],
])("%j is a mistake", (wanted, message) => {
  expect(() => propose(wanted)).toThrow(message);
});
