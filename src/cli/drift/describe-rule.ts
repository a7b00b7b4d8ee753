import type { Finding } from "../../base/findings/finding.js";
import type { RuleText } from "../../base/reporters/reporter.js";
import { GRADE_DESCRIPTIONS, GRADE_FIXES, isGrade } from "../../contract/drift/grades.js";

/** Explains a grade of a copy; undefined for a finding of another kind. */
export function describeGradeRule({ id }: Pick<Finding, "id">): RuleText | undefined {
  if (!isGrade(id)) return undefined;
  const short = `A copy ${GRADE_DESCRIPTIONS[id]}.`;
  const markdown = `${short} Fix: ${GRADE_FIXES[id]}.`;
  const page = "docs/consumers.md#grades-and-fixes";
  return { short, help: markdown.replaceAll("`", ""), markdown, page };
}
