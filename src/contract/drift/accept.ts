import type { StagingOptions } from "../../base/files/staging.js";
import type { Finding } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import { toDay, today } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { readTreeConfig, writeConfig } from "./config.js";
import type { HolderContext } from "./holder.js";
import { updateBaseline } from "./policy.js";
import { openTree } from "./trees/open.js";

/** Days for which a difference is accepted by default. */
const DEFAULT_DAYS = 90;

const DAY_MS = 86_400_000;

/** Why and how long findings are accepted. */
interface Acceptance {
  readonly reason: string;
  /** A day from today on, as YYYY-MM-DD. Undefined: after 90 days. */
  readonly expires: string | undefined;
}

interface AcceptContext extends StagingOptions, HolderContext {
  readonly cwd: string;
  /** Starts the program again. */
  readonly program: string;
}

interface AcceptedFindings {
  /** Those that cannot be accepted. */
  readonly left: Finding[];
  readonly added: number;
  readonly expires: string;
}

/**
 * Enters findings about this folder in the baseline of its configuration, and drops entries that are no longer found.
 * Throws UserError: exit 3 if there is no configuration, exit 2 for a day before today.
 */
export async function acceptFindings(
  findings: readonly Finding[],
  { reason, expires: day }: Acceptance,
  { canonical, ruleIds, cwd, program, ...staging }: AcceptContext,
): Promise<AcceptedFindings> {
  const tree = openTree(".", cwd);
  const config = readTreeConfig(tree, canonical, ruleIds);
  if (config === undefined) {
    throw new UserError(
      `${CONFIG_FILE}: no such file here, and --accept writes to its baseline: run ${program} init --write first`,
    );
  }
  if (reason.trim() === "") throw new UserError("--accept: its value is empty", EXIT.usage);
  const expires = readExpiry(day);
  const { baseline, added, left } = updateBaseline(findings, {
    config,
    tree,
    reason,
    expires,
    ruleIds,
  });
  await writeConfig({ ...config, baseline }, cwd, staging);
  return { left, added, expires };
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
