import { expect, test } from "vitest";
import { rules } from "../src/rollouts/wire/validation/rules/index.js";
import { listRuleIds } from "./generator.js";

test("the files of the rules give the ids of all rules", () => {
  expect(listRuleIds()).toEqual(rules.map(({ id }) => id).sort());
});
