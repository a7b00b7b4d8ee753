import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../base/findings/finding.js";
import { packageRoot } from "../base/package.js";
import type { RuleText } from "../base/reporters/reporter.js";
import { isPreflightId, PREFLIGHT } from "../rollouts/wire/preflight/purposes.js";
import { findFix } from "../rollouts/wire/validation/fixes.js";
import { rules } from "../rollouts/wire/validation/rules/index.js";

/** The pages of the semantic rules, which are part of the package. */
const RULES = "docs/rules";

/** Where the findings of other commands than `validate` are described. */
const PAGES: Readonly<Record<string, string>> = {
  diff: "docs/compatibility.md",
  drift: "docs/consumers.md",
  init: "docs/consumers.md",
  sync: "docs/consumers.md",
};

/** How findings are explained. */
export interface Explaining {
  readonly command: string;
  /** Starts this program. */
  readonly program: string;
}

/** Explains a kind of finding: a semantic rule by its page, any other by an example and, if it is known, its fix. */
export function describeRule(first: Finding, { command, program }: Explaining): RuleText {
  const rule = rules.find(({ id }) => id === first.id);
  if (rule === undefined) {
    const fix = findFix(first, program);
    const purpose = isPreflightId(first.id) ? PREFLIGHT[first.id] : undefined;
    return {
      short: purpose ? toSentence(purpose) : `${command} found a fault of the kind ${first.id}.`,
      help: `For example: ${first.message}.${fix === undefined ? "" : ` Fix: ${fix}`}`,
      page: PAGES[command] ?? "docs/validate.md",
    };
  }
  const page = `${RULES}/${rule.id}.md`;
  const short = toSentence(rule.purpose);
  const file = join(packageRoot(), page);
  if (!existsSync(file)) return { short, help: short, page };
  const markdown = withoutLinks(readFileSync(file, "utf8"));
  return { short, help: toPlain(markdown), markdown, page };
}

function toSentence(purpose: string): string {
  return `${purpose.charAt(0).toUpperCase()}${purpose.slice(1)}.`;
}

/** Links are relative to the page, which is not where the text is shown. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
}

/** Without the marks of headings, code and blocks. */
function toPlain(markdown: string): string {
  return markdown
    .replaceAll(/^#+ /gm, "")
    .replaceAll(/^```\w*\n/gm, "")
    .replaceAll("`", "")
    .trim();
}
