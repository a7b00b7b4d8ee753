import type { Finding } from "../../src/findings/finding.js";
import { FileFault, toFindings } from "../../src/findings/finding.js";
import { escapeControls } from "../../src/text.js";
import { UserError } from "../../src/user-error.js";
import type { Check, CheckOptions, CheckOutcome } from "../checks/check.js";

/** One check with what it looked at and what it found. */
export interface CheckResult extends CheckOutcome {
  readonly check: Check;
}

export interface RunChecksOptions extends CheckOptions {
  readonly onDone?: (result: CheckResult) => void;
}

/** Id of the finding that a check could not run. */
const NOT_RUN = "not-run";

/** Id of the finding that a check looked at nothing of the kind that it is there for. */
const NOTHING_CHECKED = "nothing-checked";

/**
 * Runs all checks on the checkout at `root`, side by side, since most of them wait for processes. The
 * results have the order of the checks. Never throws: what a check throws, and that it looked at nothing,
 * is an error of that check. `onDone` is told each time that one is done.
 */
export async function runChecks(
  checks: readonly Check[],
  root: string,
  { onDone, ...options }: RunChecksOptions = {},
): Promise<CheckResult[]> {
  return await Promise.all(
    checks.map(async (check) => {
      const result = { check, ...(await runCheck(check, root, options)) };
      onDone?.(result);
      return result;
    }),
  );
}

async function runCheck(check: Check, root: string, options: CheckOptions): Promise<CheckOutcome> {
  try {
    const { checked, findings } = await check.run(root, options);
    const isFailed = findings.some(({ severity }) => severity === "error");
    const [main] = checked;
    if (isFailed || (main !== undefined && main.count > 0)) return { checked, findings };
    const problem = `looked at ${main === undefined ? "nothing" : `no ${main.thing}`}`;
    return { checked, findings: [...findings, toFailure(check, NOTHING_CHECKED, problem)] };
  } catch (error) {
    return { checked: [], findings: describeThrown(check, root, error) };
  }
}

function describeThrown(check: Check, root: string, error: unknown): Finding[] {
  if (error instanceof FileFault) return toFindings(root, [error.place]);
  const reason = error instanceof Error ? error.message : String(error);
  const problem = error instanceof UserError ? reason : `could not run: ${reason}`;
  return [toFailure(check, NOT_RUN, problem)];
}

/** An error of the check itself, which stands where the check does. */
function toFailure(check: Check, id: string, problem: string): Finding {
  return {
    id,
    severity: "error",
    file: `conformance/checks/${check.id}.ts`,
    line: 1,
    column: 1,
    pointer: "",
    message: escapeControls(problem),
  };
}
