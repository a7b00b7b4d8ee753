import { expect, test } from "vitest";
import { createBranch } from "../export/testing/create-branch.js";
import { checkRecord, checkRollout } from "./check-record.js";
import { isProfileName, isRuleSettings, profiles, RULE_SEVERITIES } from "./profiles.js";
import { rules } from "./rules/index.js";

test("every profile has a severity for every rule and nothing else", () => {
  for (const severities of Object.values(profiles)) {
    expect(Object.keys(severities).toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
  }
});

test("no rule is more severe in lenient than in strict", () => {
  for (const { id } of rules) {
    const order: readonly string[] = RULE_SEVERITIES;
    const place = (severity: string): number => order.indexOf(severity);
    expect(place(profiles.lenient[id])).toBeGreaterThanOrEqual(place(profiles.strict[id]));
  }
});

test("recognises profile names and rule settings", () => {
  expect([isProfileName("strict"), isProfileName("toString")]).toEqual([true, false]);
  expect(isRuleSettings({ "duplicate-key": "off" })).toBe(true);
  expect(isRuleSettings({ "duplicate-key": "warn" })).toBe(false);
  expect(isRuleSettings({ other: "off" })).toBe(false);
  expect(isRuleSettings("off")).toBe(false);
});

test.each(["line", "record", "rollout"] as const)(
  "severities apply to rules of scope %s",
  (scope) => {
    const branch = { ...createBranch(), objective_status: "fail" } as const;
    const text = `${JSON.stringify(branch).slice(0, -1)},"rank":1}`;
    const line = { file: "a", line: 1, byteLength: 0, text, value: branch };
    const found = (severity: "off" | "warning" | "error") => {
      const ids = {
        line: "duplicate-key",
        record: "status-agrees-with-score",
        rollout: "branch-index-unique",
      } as const;
      const severities = { ...profiles.strict, [ids[scope]]: severity };
      const faults =
        scope === "rollout"
          ? checkRollout([branch, { ...branch, rank: 2 }], "RolloutBranchRecord", severities)
          : checkRecord(line, undefined, severities);
      return faults.filter(({ id }) => id === ids[scope]).map((fault) => fault.severity);
    };
    expect([found("off"), found("warning"), found("error")]).toEqual([[], ["warning"], ["error"]]);
  },
);
