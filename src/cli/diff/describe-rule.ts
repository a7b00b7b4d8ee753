import type { Finding } from "../../base/findings/finding.js";
import type { RuleText } from "../../base/reporters/reporter.js";
import { rules } from "../../contract/compat/rules/index.js";
import { wholeRules } from "../../contract/compat/unmatched.js";

/** The id of the finding about a schema of a range that could not be compared. */
export const NOT_COMPARED = "not-compared";

/** Explains a kind of change by its rule; undefined for a finding that is no change. */
export function describeChangeRule({ id }: Pick<Finding, "id">): RuleText | undefined {
  if (id === NOT_COMPARED) {
    const short = "A schema of the range could not be compared.";
    const help = `${short} Correct the file or the reference that the message names, at that commit.`;
    return { short, help, page: "docs/compatibility.md" };
  }
  const rule = [...rules, ...wholeRules].find((each) => each.id === id);
  if (rule === undefined) return undefined;
  const { name, summary, fix } = rule;
  const help = `${name}: ${summary} If it breaks something: ${fix}.`;
  return { short: summary, help, page: "docs/compatibility.md" };
}
