import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { hashMatchesTask } from "../../src/rollouts/wire/validation/rules/hash-matches-task.js";
import { rules, rulesByScope } from "../../src/rollouts/wire/validation/rules/index.js";
import type {
  RecordRule,
  RolloutRule,
  Rule,
} from "../../src/rollouts/wire/validation/rules/rule.js";
import { scoreInRange } from "../../src/rollouts/wire/validation/rules/score-in-range.js";
import { undeclaredTool } from "../../src/rollouts/wire/validation/rules/undeclared-tool.js";
import { unpairedToolResult } from "../../src/rollouts/wire/validation/rules/unpaired-tool-result.js";
import { loadFixtures } from "../fixtures/load.js";
import { Workspace } from "../workspace.js";
import { checkRules, semanticRules } from "./semantic-rules.js";

describe("semanticRules", () => {
  const SUITES = "fixtures/suites";

  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "rollout-wire-rules-"));
    cpSync(join(packageRoot(), SUITES), join(root, SUITES), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test("green on this repository", async () => {
    const { checked, findings } = await semanticRules.run(new Workspace(root));
    expect(findings).toEqual([]);
    expect(checked).toEqual([
      { count: rules.length, thing: "rule" },
      { count: expect.any(Number), thing: "fixture" },
    ]);
    expect(checked[1]?.count).toBeGreaterThan(2 * rules.length);
  });

  test("a rule without invalid fixtures", async () => {
    const file = join(root, SUITES, "DpoRecord.json");
    const named = /"name": "chosen-beats-rejected-failed-chosen"/;
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(named);
    writeFileSync(file, text.replace(named, '"name": "another"'));
    expect((await semanticRules.run(new Workspace(root))).findings).toMatchObject([
      {
        id: "chosen-beats-rejected",
        file: "src/rollouts/wire/validation/rules/chosen-beats-rejected.ts",
        message: expect.stringContaining("has no invalid fixture"),
      },
    ]);
  });

  test("no fixtures at all", async () => {
    rmSync(join(root, "fixtures"), { recursive: true });
    const { findings } = await semanticRules
      .run(new Workspace(root))
      .catch(() => ({ findings: [{}] }));
    expect(findings.length).toBeGreaterThan(0);
  });
});

describe("checkRules", () => {
  const { fixtures } = loadFixtures(packageRoot());

  /** The rule, but applied to nothing. */
  function disable(rule: Rule): Rule {
    return { ...rule, check: () => [] };
  }

  test("the unchanged rules", () => {
    expect(checkRules(rules, fixtures).findings).toEqual([]);
  });

  test.each(rules)("$id, if it no longer finds anything", (rule) => {
    const { findings } = checkRules([disable(rule)], fixtures);
    // All findings are about the invalid cases of the rule.
    const own = new RegExp(`^${rule.id}-`);
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(finding).toMatchObject({
        id: rule.id,
        severity: "error",
        file: expect.stringMatching(/^fixtures\/suites\//),
        message: expect.stringMatching(own),
      });
      expect(finding.pointer).toMatch(/^\/invalid\/\d+\/expect\/\d+$/);
      expect(finding.line).toBeGreaterThan(1);
    }
  });

  test.each(rules)("$id, if it has false positives", (rule: Rule) => {
    const noisy: Rule =
      rule.scope === "rollout"
        ? { ...rule, check: () => [{ branch: 0, pointer: "/none", message: "" }] }
        : { ...rule, check: () => [{ pointer: "", message: "" }] };
    const { findings } = checkRules([noisy], fixtures);
    expect(findings.filter(({ pointer }) => pointer.startsWith("/valid/"))).not.toEqual([]);
  });

  test.each(rulesByScope.rollout)(
    "$id, if it examines only the first two branches",
    (rule: RolloutRule) => {
      const short: RolloutRule = { ...rule, check: (branches) => rule.check(branches.slice(0, 2)) };
      expect(checkRules([short], fixtures).findings).not.toEqual([]);
    },
  );

  test.each<[RecordRule, string]>([
    [hashMatchesTask, "PpoRecord"],
    [hashMatchesTask, "DpoTrainingRecord"],
    [hashMatchesTask, "PpoTrainingRecord"],
    [unpairedToolResult, "RolloutBranchRecord"],
    [unpairedToolResult, "DpoTrainingRecord"],
    [unpairedToolResult, "PpoTrainingRecord"],
    [undeclaredTool, "RolloutBranch"],
    [undeclaredTool, "DpoTrainingRecord"],
    [undeclaredTool, "PpoTrainingRecord"],
    [scoreInRange, "RolloutBranchRecord"],
    [scoreInRange, "PpoRecord"],
    [scoreInRange, "DpoTrainingRecord"],
  ])("$0.id, if it ignores %s", (rule, blind) => {
    const check: RecordRule["check"] = (record, type, context) =>
      type === blind ? [] : rule.check(record, type, context);
    expect(checkRules([{ ...rule, check }], fixtures).findings).not.toEqual([]);
  });

  test("a rule without fixtures of one kind, or of both", () => {
    const [rule] = rules;
    const messages = (given: typeof fixtures) =>
      checkRules([rule], given).findings.map(({ file, message }) => `${file} ${message}`);
    const lack = (kind: string) =>
      `src/rollouts/wire/validation/rules/${rule.id}.ts has no ${kind} fixture: add a case ${rule.id}-<case> to a suite of fixtures/suites`;
    expect(messages([])).toEqual([lack("valid"), lack("invalid")]);
    expect(messages(fixtures.filter(({ kind }) => kind === "valid"))).toEqual([lack("invalid")]);
  });

  test("an invalid fixture that expects a different fault", () => {
    const [rule] = rules;
    const others = fixtures.map((fixture) => ({ ...fixture, expect: [] }));
    const messages = checkRules([rule], others).findings.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(` expects no fault of ${rule.id}$`));
  });
});
