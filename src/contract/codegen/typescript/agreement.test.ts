import { expect, test } from "vitest";
import { runCount } from "../../../base/testing/run-count.js";
import { validatorOf } from "../../compat/ajv/ajv.js";
import { loadVersion } from "../../compat/load-version.js";
import { NodeModule } from "../testing/node-module.js";
import { sampleSchemas, toName, toNodes, valuesOf } from "../testing/random-nodes.js";

/** Number of schemas that are printed into one module. */
const SCHEMAS = runCount(3000, 60);

test("guards, the faults that are found, and Ajv agree on random schemas and values", async () => {
  const schemas = sampleSchemas(20_261_127, SCHEMAS);
  const module = await NodeModule.load(toNodes(schemas));
  const counts = { valid: 0, invalid: 0, undecided: 0 };
  for (const [number, schema] of schemas.entries()) {
    const { root } = loadVersion({ name: "a.json", text: JSON.stringify(schema), others: [] });
    const { isValid } = validatorOf(root);
    for (const value of valuesOf(schema, number)) {
      const expected = isValid(value);
      if (expected === undefined) {
        counts.undecided += 1;
        continue;
      }
      counts[expected ? "valid" : "invalid"] += 1;
      const name = toName("root", number);
      const faults = module.findErrors(name, value);
      const said = { guard: module.is(name, value), faults: faults.length === 0 };
      const shown = JSON.stringify({ schema, value, faults });
      expect(said, shown).toEqual({ guard: expected, faults: expected });
      for (const { message, cause } of faults) expect([message, cause], shown).not.toContain("");
    }
  }
  module.remove();
  expect(counts.valid).toBeGreaterThan(SCHEMAS);
  expect(counts.invalid).toBeGreaterThan(SCHEMAS);
  expect(counts.undecided).toBeLessThan(SCHEMAS);
});
