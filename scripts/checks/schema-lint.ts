import type { CheckOutcome } from "../../conformance/checks/check.js";
import { FileFault, toFindings } from "../../src/findings/finding.js";
import { findSchemaFaults } from "../codegen/lints.js";
import { REPO_ROOT } from "../run-script.js";

await printOutcome(async () => {
  const { schemaCount, locationCount, faults } = findSchemaFaults(REPO_ROOT);
  return {
    checked: [
      { count: schemaCount, thing: "schema" },
      { count: locationCount, thing: "location" },
    ],
    findings: toFindings(REPO_ROOT, faults),
  };
});

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
        JSON.stringify({ checked: [], findings: toFindings(REPO_ROOT, [error.place]) }),
      );
      return;
    }
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
