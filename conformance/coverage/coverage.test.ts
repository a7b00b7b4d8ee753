import { afterEach, beforeEach, expect, test } from "vitest";
import { createCoverageReport } from "./report.js";
import { SCHEMA, SmallCheckout } from "./testing/small-checkout.js";

let checkout: SmallCheckout;
beforeEach(() => {
  checkout = new SmallCheckout();
});
afterEach(() => checkout.remove());

test("the report counts every keyword of every schema, with a reason for each exception", () => {
  const count = '"required": ["count"]';
  checkout.edit(count, `${count},\n      "additionalProperties": false`);
  const { rows, equivalent } = createCoverageReport(checkout.measure());
  expect(rows.find(({ keyword }) => keyword === "pattern")).toEqual({
    schema: "adapter-protocol",
    keyword: "pattern",
    constraints: 1,
    loosened: { mutants: 3, killed: 3, equivalent: 0 },
    tightened: { mutants: 1, killed: 1, equivalent: 0 },
  });
  expect(equivalent).toContainEqual({
    file: SCHEMA,
    pointer: "/$defs/AdapterCount/additionalProperties",
    change: "forbids unknown fields",
    reason: "no object can be more closed than a closed one",
  });
  const argued = rows.map(({ loosened, tightened }) => loosened.equivalent + tightened.equivalent);
  expect(argued.reduce((sum, count) => sum + count, 0)).toBe(equivalent.length);
});
