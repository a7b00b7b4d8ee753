import { type EntryTypeName, isRolloutBranch } from "#generated/index.js";
import { createFinding, type Finding } from "../../src/findings/finding.js";
import { isJsonObject, measureValue } from "../../src/json/value.js";
import { toBranchFacts } from "../../src/validation/check-record.js";
import { rules } from "../../src/validation/rules/index.js";
import type { Rule } from "../../src/validation/rules/rule.js";
import type { Check } from "../check.js";
import {
  contentPointer,
  expectPointer,
  FIXTURE_KINDS,
  type Fixture,
  type FixtureContent,
  toValue,
} from "../fixtures/fixture.js";
import { loadFixtures } from "../fixtures/load.js";

/** What is wrong with the fixtures as files is told by the check for fixtures. */
export const semanticRules: Check = {
  id: "semantic-rules",
  purpose:
    "Every semantic rule finds the faults of its invalid fixtures, and none in its valid ones.",
  fix: "fix the rule in src/validation/rules, or its fixtures",
  async run(root) {
    const { fixtures, findings } = checkRules(rules, loadFixtures(root).fixtures);
    return {
      checked: [
        { count: rules.length, thing: "rule" },
        { count: fixtures.length, thing: "fixture" },
      ],
      findings,
    };
  },
};

/** Pointers of what one rule finds in a fixture, whatever the profiles say of it. */
export function findRuleFaults(
  rule: Rule,
  { type, content }: Pick<Fixture, "type" | "content">,
): readonly string[] {
  if (rule.scope === "rollout") {
    const branches = "rollout" in content ? content.rollout.filter(isRolloutBranch) : [];
    const facts = branches.map((branch) => toBranchFacts(branch, type));
    return rule.check(facts).map(({ branch, pointer }) => `/${branch}${pointer}`);
  }
  if ("rollout" in content) {
    return content.rollout.flatMap((record, index) =>
      findInRecord(rule, { record }, type).map((pointer) => `/${index}${pointer}`),
    );
  }
  return findInRecord(rule, content, type);
}

function findInRecord(
  rule: Exclude<Rule, { scope: "rollout" }>,
  content: FixtureContent,
  type: EntryTypeName,
): readonly string[] {
  const value = toValue(content);
  if (!isJsonObject(value)) return [];
  const text = "text" in content ? content.text : JSON.stringify(value);
  const faults =
    rule.scope === "line"
      ? rule.check({ text, value, measure: measureValue(value) })
      : rule.check(value, type);
  return faults.map(({ pointer }) => pointer);
}

export interface CheckedRules {
  /** The fixtures that are there for a rule. */
  readonly fixtures: readonly Fixture[];
  readonly findings: readonly Finding[];
}

/** Holds each rule against its own fixtures, alone: those whose names begin with its id. */
export function checkRules(rules: readonly Rule[], all: readonly Fixture[]): CheckedRules {
  const checked = rules.map((rule) => {
    const fixtures = all.filter(({ name }) => name.startsWith(`${rule.id}-`));
    const findings = fixtures.flatMap((fixture) => checkRule(rule, fixture));
    return { fixtures, findings: [...findLacking(rule, fixtures), ...findings] };
  });
  return {
    fixtures: checked.flatMap(({ fixtures }) => fixtures),
    findings: checked.flatMap(({ findings }) => findings),
  };
}

/** A rule that never fires, or always does, is seen only with both. */
function findLacking({ id }: Rule, fixtures: readonly Fixture[]): Finding[] {
  return FIXTURE_KINDS.filter((wanted) => !fixtures.some(({ kind }) => kind === wanted)).map(
    (kind) =>
      createFinding({
        id,
        file: `src/validation/rules/${id}.ts`,
        message: `has no ${kind} fixture: add a case ${id}-<case> to a suite of fixtures/suites`,
      }),
  );
}

function checkRule(rule: Rule, fixture: Fixture): Finding[] {
  const { id } = rule;
  const { file, source, kind, name } = fixture;
  const found = findRuleFaults(rule, fixture);
  const expected = fixture.expect.flatMap(({ pointer, rule }, index) =>
    rule === id ? [{ pointer, place: expectPointer(fixture, index) }] : [],
  );
  const silent = expected
    .filter(({ pointer }) => !found.includes(pointer))
    .map(({ pointer, place }) =>
      createFinding({
        ...{ id, file, source, pointer: place },
        message: `${name}: the rule finds nothing at ${pointer || "the record"}`,
      }),
    );
  const wrong = found
    .filter((pointer) => !expected.some((each) => each.pointer === pointer))
    .map((pointer) =>
      createFinding({
        ...{ id, file, source, pointer: contentPointer(fixture, pointer) },
        message: `${name}: the rule finds a fault at ${pointer || "the record"}, which is not expected`,
      }),
    );
  const empty =
    kind === "invalid" && expected.length === 0
      ? [
          createFinding({
            ...{ id, file, source, pointer: fixture.pointer },
            message: `${name} expects no fault of ${id}`,
          }),
        ]
      : [];
  return [...silent, ...wrong, ...empty];
}
