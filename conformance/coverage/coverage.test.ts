import { expect, test } from "vitest";
import { HOME } from "../../scripts/run-script.js";
import { createCoverageReport } from "./coverage.js";

test("the report counts every keyword of every schema, and gives the reason of each exception", () => {
  const { rows, equivalent } = createCoverageReport(HOME);
  const pattern = rows.find(
    ({ schema, keyword }) => schema === "rollout-wire" && keyword === "pattern",
  );
  expect(pattern).toEqual({
    schema: "rollout-wire",
    keyword: "pattern",
    constraints: 1,
    loosened: { mutants: 3, killed: 3, equivalent: 0 },
    tightened: { mutants: 1, killed: 1, equivalent: 0 },
  });
  expect(equivalent).toContainEqual({
    file: "schema/rollout-wire.schema.json",
    pointer: "/$defs/DpoProvenance/additionalProperties",
    change: "forbids unknown fields",
    reason: "no object can be more closed than a closed one",
  });
  const argued = rows.map(({ loosened, tightened }) => loosened.equivalent + tightened.equivalent);
  expect(argued.reduce((sum, count) => sum + count, 0)).toBe(equivalent.length);
});
