import { basename } from "node:path";
import type { Finding } from "../../src/findings/finding.js";
import { createFinding } from "../../src/findings/finding.js";
import type { Rule } from "../../src/validation/rules/rule.js";
import { contentPointer, FIXTURE_KINDS, type Fixture } from "../fixtures/fixture.js";
import { findRuleFaults } from "./find-rule-faults.js";

export interface JudgedRules {
  /** The fixtures that are there for a rule. */
  readonly fixtures: readonly Fixture[];
  readonly findings: readonly Finding[];
}

/** Holds each rule against its own fixtures, alone: those whose names begin with its id. */
export function judgeRules(rules: readonly Rule[], all: readonly Fixture[]): JudgedRules {
  const judged = rules.map((rule) => {
    const fixtures = all.filter(({ file }) => basename(file).startsWith(`${rule.id}-`));
    const findings = fixtures.flatMap((fixture) => judgeRule(rule, fixture));
    return { fixtures, findings: [...findLacking(rule, fixtures), ...findings] };
  });
  return {
    fixtures: judged.flatMap(({ fixtures }) => fixtures),
    findings: judged.flatMap(({ findings }) => findings),
  };
}

/** A rule that never fires, or always does, is seen only with both. */
function findLacking({ id }: Rule, fixtures: readonly Fixture[]): Finding[] {
  return FIXTURE_KINDS.filter((wanted) => !fixtures.some(({ kind }) => kind === wanted)).map(
    (kind) =>
      createFinding({
        id,
        file: `conformance/rules/${id}.ts`,
        message: `has no ${kind} fixture: add fixtures/${kind}/<Type>/${id}-<case>.json`,
      }),
  );
}

function judgeRule(rule: Rule, fixture: Fixture): Finding[] {
  const { id } = rule;
  const { file, source, content, kind } = fixture;
  const found = findRuleFaults(rule, fixture);
  const expected = fixture.expect.flatMap(({ pointer, rule }, index) =>
    rule === id ? [{ pointer, place: `/expect/${index}` }] : [],
  );
  const silent = expected
    .filter(({ pointer }) => !found.includes(pointer))
    .map(({ pointer, place }) =>
      createFinding({
        ...{ id, file, source, pointer: place },
        message: `the rule finds nothing at ${pointer || "the record"}`,
      }),
    );
  const wrong = found
    .filter((pointer) => !expected.some((each) => each.pointer === pointer))
    .map((pointer) =>
      createFinding({
        ...{ id, file, source, pointer: contentPointer(content, pointer) },
        message: `the rule finds a fault at ${pointer || "the record"}, which is not expected`,
      }),
    );
  const empty =
    kind === "invalid" && expected.length === 0
      ? [createFinding({ id, file, source, message: `expects no fault of ${id}` })]
      : [];
  return [...silent, ...wrong, ...empty];
}
