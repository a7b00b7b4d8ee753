import type { Finding } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import { formatCount, toDay, today } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import type { CommandContext, OptionValues } from "../../cli/command.js";
import type { Canonical } from "./canonical.js";
import { readTreeConfig } from "./config.js";
import { updateBaseline } from "./policy.js";
import { openTree } from "./trees/open.js";
import { writeConfig } from "./write-config.js";

/** Days for which a difference is accepted by default. */
const DEFAULT_DAYS = 90;

const DAY_MS = 86_400_000;

/**
 * Enters findings about this folder in the baseline of its configuration, and drops entries that are no longer found.
 * Returns the findings that cannot be accepted. Throws UserError if there is no configuration (exit 3), or for a day
 * that is no future date (exit 2).
 */
export async function acceptFindings(
  findings: readonly Finding[],
  options: OptionValues,
  { canonical, ...context }: CommandContext & { readonly canonical: Canonical },
): Promise<Finding[]> {
  const { cwd, stderr } = context;
  const tree = openTree(".", cwd);
  const config = readTreeConfig(tree, canonical);
  if (config === undefined) {
    throw new UserError(`${CONFIG_FILE}: no such file here: --accept writes to its baseline`);
  }
  const reason = options.text("accept");
  if (reason.trim() === "") throw new UserError("--accept: its value is empty", EXIT.usage);
  const expires = readExpiry(options.optionalText("expires"));
  const { baseline, added, left } = updateBaseline(findings, {
    config,
    tree,
    reason,
    expires,
  });
  await writeConfig({ ...config, baseline }, cwd, context);
  stderr.write(`${formatCount(added, "finding")} accepted until ${expires} in ${CONFIG_FILE}\n`);
  return left;
}

function readExpiry(text: string | undefined): string {
  if (text === undefined) {
    return toDay(Date.now() + DEFAULT_DAYS * DAY_MS);
  }
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse takes the 30th of February for a day of March.
  if (!Number.isNaN(time) && toDay(time) === text && text >= today()) return text;
  throw new UserError(`--expires ${text}: must be a day from today on, as YYYY-MM-DD`, EXIT.usage);
}
