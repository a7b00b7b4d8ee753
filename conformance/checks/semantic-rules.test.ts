import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOME } from "../../scripts/run-script.js";
import { hashMatchesTask } from "../../src/validation/rules/hash-matches-task.js";
import { rules, rulesByScope } from "../../src/validation/rules/index.js";
import type { RecordRule, RolloutRule, Rule } from "../../src/validation/rules/rule.js";
import { unpairedToolResult } from "../../src/validation/rules/unpaired-tool-result.js";
import { loadFixtures } from "../fixtures/load.js";
import { judgeRules, semanticRules } from "./semantic-rules.js";
import { useCopy } from "./testing/use-copy.js";

describe("semanticRules", () => {
  // The fixtures of one type: rules for other types have none here.
  const { copy, find } = useCopy(semanticRules, [
    "fixtures/valid/DpoRecord",
    "fixtures/invalid/DpoRecord",
  ]);

  const RULE = "chosen-beats-rejected";

  test("a rule whose invalid fixtures are gone", async () => {
    const { checked } = await semanticRules.run(copy.root);
    expect(checked).toEqual([
      { count: rules.length, thing: "rule" },
      { count: expect.any(Number), thing: "fixture" },
    ]);
    expect(checked[1]?.count).toBeGreaterThanOrEqual(2);
    const ofRule = async () => (await find()).filter(({ id }) => id === RULE);
    expect(await ofRule()).toEqual([]);
    rmSync(join(copy.root, `fixtures/invalid/DpoRecord/${RULE}-failed-chosen.json`));
    expect(await ofRule()).toMatchObject([
      {
        id: RULE,
        file: `conformance/rules/${RULE}.ts`,
        message: expect.stringContaining("has no invalid fixture"),
      },
    ]);
  });

  test("no fixtures at all", async () => {
    rmSync(join(copy.root, "fixtures"), { recursive: true });
    expect((await find()).length).toBeGreaterThan(0);
  });
});

describe("judgeRules", () => {
  const { fixtures } = loadFixtures(HOME);

  /** The rule as if it looked at nothing. */
  function disable(rule: Rule): Rule {
    return { ...rule, check: () => [] };
  }

  test("the rules as they are", () => {
    expect(judgeRules(rules, fixtures).findings).toEqual([]);
  });

  test.each(rules)("$id, when it finds nothing any more", (rule) => {
    const { findings } = judgeRules([disable(rule)], fixtures);
    const own = new RegExp(`^fixtures/invalid/\\w+/${rule.id}-`);
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(finding).toMatchObject({
        id: rule.id,
        severity: "error",
        file: expect.stringMatching(own),
      });
      expect(finding.pointer).toMatch(/^\/expect\/\d+$/);
      expect(finding.line).toBeGreaterThan(1);
    }
  });

  test.each(rules)("$id, when it finds what is not there", (rule: Rule) => {
    const noisy: Rule =
      rule.scope === "rollout"
        ? { ...rule, check: () => [{ branch: 0, pointer: "/none", message: "" }] }
        : { ...rule, check: () => [{ pointer: "", message: "" }] };
    const { findings } = judgeRules([noisy], fixtures);
    expect(findings.filter(({ file }) => file.startsWith("fixtures/valid/"))).not.toEqual([]);
  });

  test.each(rulesByScope.rollout)(
    "$id, when it looks at the first two branches alone",
    (rule: RolloutRule) => {
      const short: RolloutRule = { ...rule, check: (branches) => rule.check(branches.slice(0, 2)) };
      expect(judgeRules([short], fixtures).findings).not.toEqual([]);
    },
  );

  test.each<[RecordRule, string]>([
    [hashMatchesTask, "PpoRecord"],
    [hashMatchesTask, "DpoTrainingRecord"],
    [hashMatchesTask, "PpoTrainingRecord"],
    [unpairedToolResult, "RolloutBranchRecord"],
    [unpairedToolResult, "DpoTrainingRecord"],
    [unpairedToolResult, "PpoTrainingRecord"],
  ])("$0.id, when it is blind to a %s", (rule, blind) => {
    const check: RecordRule["check"] = (record, type) =>
      type === blind ? [] : rule.check(record, type);
    expect(judgeRules([{ ...rule, check }], fixtures).findings).not.toEqual([]);
  });

  test("a rule without fixtures, of one kind or of both", () => {
    const [rule] = rules;
    const messages = (given: typeof fixtures) =>
      judgeRules([rule], given).findings.map(({ file, message }) => `${file} ${message}`);
    const lack = (kind: string) =>
      `conformance/rules/${rule.id}.ts has no ${kind} fixture: add fixtures/${kind}/<Type>/${rule.id}-<case>.json`;
    expect(messages([])).toEqual([lack("valid"), lack("invalid")]);
    expect(messages(fixtures.filter(({ kind }) => kind === "valid"))).toEqual([lack("invalid")]);
  });

  test("an invalid fixture that expects something else", () => {
    const [rule] = rules;
    const others = fixtures.map((fixture) => ({ ...fixture, expect: [] }));
    const messages = judgeRules([rule], others).findings.map(({ message }) => message);
    expect(messages).toContain(`expects no fault of ${rule.id}`);
  });
});
