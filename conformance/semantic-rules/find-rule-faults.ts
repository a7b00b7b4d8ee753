import { type EntryTypeName, isRolloutBranch } from "#generated/index.js";
import { isJsonObject, measureValue } from "../../src/json/value.js";
import { toBranchFacts } from "../../src/validation/check-record.js";
import type { Rule } from "../../src/validation/rules/rule.js";
import { type Fixture, type FixtureContent, toValue } from "../fixtures/fixture.js";

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
