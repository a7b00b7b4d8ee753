import type { CheckOutcome } from "../../conformance/check.js";
import { toFindings } from "../../src/base/findings/finding.js";
import { findSchemaFaults } from "../../src/contract/codegen/lints.js";
import { printOutcome } from "./print-outcome.js";

/** Examines the schemas of the checkout at `root`. */
export async function checkSchemas(root: string): Promise<CheckOutcome> {
  const { schemaCount, locationCount, faults } = findSchemaFaults(root);
  return {
    checked: [
      { count: schemaCount, thing: "schema" },
      { count: locationCount, thing: "location" },
    ],
    findings: toFindings(root, faults),
  };
}

await printOutcome(import.meta.url, checkSchemas);
