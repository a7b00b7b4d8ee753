import type { CheckOutcome } from "../../conformance/checks/check.js";
import { FileFault, toFindings } from "../../src/findings/finding.js";
import { HOME } from "../run-script.js";
import { judgeSchemas } from "./judge-schemas.js";

await printOutcome(() => judgeSchemas(HOME));

/**
 * Prints what a check of this checkout found, for conformance/run.ts. A file that cannot be gone
 * on with is a finding; anything else that is thrown ends the process with its message.
 */
export async function printOutcome(check: () => Promise<CheckOutcome>): Promise<void> {
  try {
    process.stdout.write(JSON.stringify(await check()));
  } catch (error) {
    if (error instanceof FileFault) {
      process.stdout.write(
        JSON.stringify({ checked: [], findings: toFindings(HOME, [error.place]) }),
      );
      return;
    }
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
