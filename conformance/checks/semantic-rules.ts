import { rules } from "../../src/validation/rules/index.js";
import { loadFixtures } from "../fixtures/load-fixtures.js";
import { judgeRules } from "../semantic-rules/judge-rules.js";
import type { Check } from "./check.js";

/** What is wrong with the fixtures as files is told by the check for fixtures. */
export const semanticRules: Check = {
  id: "semantic-rules",
  purpose:
    "Every semantic rule finds the faults of its invalid fixtures, and none in its valid ones.",
  mend: "correct the rule in conformance/rules, or its fixtures",
  async run(root) {
    const { fixtures, findings } = judgeRules(rules, loadFixtures(root).fixtures);
    return {
      checked: [
        { count: rules.length, thing: "rule" },
        { count: fixtures.length, thing: "fixture" },
      ],
      findings,
    };
  },
};
