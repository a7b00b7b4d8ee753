import type { KnownDifference } from "#generated/index.js";
import type { StagingOptions } from "../../base/files/staging.js";
import type { Finding } from "../../base/findings/finding.js";
import { CONFIG_FILE } from "../../base/package.js";
import { UserError } from "../../base/user-error.js";
import { readTreeConfig, writeConfig } from "./config.js";
import type { HolderContext } from "./holder.js";
import { updateBaseline } from "./policy.js";
import { openTree } from "./trees/open.js";

/** Why and until when findings are accepted; `expires` is the last day, as YYYY-MM-DD. */
export type Acceptance = Pick<KnownDifference, "reason" | "expires">;

interface AcceptContext extends StagingOptions, HolderContext {
  readonly cwd: string;
  /** Starts the program again. */
  readonly program: string;
}

interface AcceptedFindings {
  /** Those that cannot be accepted. */
  readonly left: Finding[];
  readonly added: number;
}

/**
 * Enters findings about this folder in the baseline of its configuration, and drops entries that are no longer found.
 * Throws UserError (exit 3) if there is no configuration.
 */
export async function acceptFindings(
  findings: readonly Finding[],
  { reason, expires }: Acceptance,
  { canonical, ruleIds, cwd, program, ...staging }: AcceptContext,
): Promise<AcceptedFindings> {
  const tree = openTree(".", cwd);
  const config = readTreeConfig(tree, canonical, ruleIds);
  if (config === undefined) {
    throw new UserError(
      `${CONFIG_FILE}: no such file here, and --accept writes to its baseline: run ${program} init --write first`,
    );
  }
  const { baseline, added, left } = updateBaseline(findings, {
    config,
    tree,
    reason,
    expires,
    ruleIds,
  });
  await writeConfig({ ...config, baseline }, cwd, staging);
  return { left, added };
}
