import { type EntryTypeName, isRolloutBranch } from "#generated/index.js";
import { createFinding, type Finding } from "../../src/base/findings/finding.js";
import { isJsonObject, measureValue } from "../../src/base/json/value.js";
import { toBranchFacts } from "../../src/rollouts/wire/validation/check-record.js";
import { rules } from "../../src/rollouts/wire/validation/rules/index.js";
import { DEFAULT_CONTEXT, type Rule } from "../../src/rollouts/wire/validation/rules/rule.js";
import type { Check } from "../check.js";
import {
  contentPointer,
  expectPointer,
  FIXTURE_KINDS,
  type Fixture,
  type FixtureContent,
  toValue,
} from "../fixtures/fixture.js";

/** The check `fixtures` reports faults of the suites themselves. */
export const semanticRules: Check = {
  id: "semantic-rules",
  purpose:
    "Every semantic rule finds the faults of its invalid fixtures, and none in its valid ones.",
  fix: "fix the rule in src/rollouts/wire/validation/rules, or its fixtures",
  needs: ["generated-fresh", "fixtures"],
  whyNot: ({ isOurs }) => (isOurs ? undefined : "it has no semantic rules"),
  async run(workspace) {
    const { fixtures, findings } = checkRules(rules, workspace.fixtures.fixtures);
    return {
      checked: [
        { count: rules.length, thing: "rule" },
        { count: fixtures.length, thing: "fixture" },
      ],
      findings,
    };
  },
};

/** Pointers of the findings of one rule in a fixture, independent of profiles. */
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
      ? rule.check({ text, measure: measureValue(value) })
      : rule.check(value, type, DEFAULT_CONTEXT);
  return faults.map(({ pointer }) => pointer);
}

export interface CheckedRules {
  /** The fixtures of a rule. */
  readonly fixtures: readonly Fixture[];
  readonly findings: readonly Finding[];
}

/** Tests each rule against its own fixtures only: those whose names start with its id. */
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

/** A rule that never fires, or always does, is detected only if it has fixtures of both kinds. */
function findLacking({ id }: Rule, fixtures: readonly Fixture[]): Finding[] {
  return FIXTURE_KINDS.filter((wanted) => !fixtures.some(({ kind }) => kind === wanted)).map(
    (kind) =>
      createFinding({
        id,
        file: `src/rollouts/wire/validation/rules/${id}.ts`,
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
        cause: "nothing",
      }),
    );
  const wrong = found
    .filter((pointer) => !expected.some((each) => each.pointer === pointer))
    .map((pointer) =>
      createFinding({
        ...{ id, file, source, pointer: contentPointer(fixture, pointer) },
        message: `${name}: the rule finds a fault at ${pointer || "the record"}, which is not expected`,
        cause: "not expected",
      }),
    );
  const empty =
    kind === "invalid" && expected.length === 0
      ? [
          createFinding({
            ...{ id, file, source, pointer: fixture.pointer },
            message: `${name} expects no fault of ${id}`,
            cause: "no fault expected",
          }),
        ]
      : [];
  return [...silent, ...wrong, ...empty];
}
