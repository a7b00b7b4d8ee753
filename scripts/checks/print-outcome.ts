import type { CheckOutcome } from "../../conformance/check.js";
import { FileFault, toFindings } from "../../src/base/findings/finding.js";
import { EXIT } from "../../src/base/user-error.js";
import { runAsProgram } from "../run-script.js";

/**
 * Prints the outcome of `check` on this checkout as JSON for `runCheckScript`, if Node was started with the
 * module at `moduleUrl`. An unreadable file is a finding; any other error ends the process.
 */
export async function printOutcome(
  moduleUrl: string,
  check: (root: string) => Promise<CheckOutcome>,
): Promise<void> {
  await runAsProgram(moduleUrl, async (_argv, { root, stdout, stderr }) => {
    try {
      stdout.write(JSON.stringify(await check(root)));
      return EXIT.ok;
    } catch (error) {
      if (error instanceof FileFault) {
        stdout.write(JSON.stringify({ checked: [], findings: toFindings(root, error.places) }));
        return EXIT.ok;
      }
      stderr.write(`${error instanceof Error ? error.message : error}\n`);
      return EXIT.findings;
    }
  });
}
