import { toFindings } from "../../src/findings/finding.js";
import { findSchemaFaults } from "../codegen/find-schema-faults.js";
import { HOME } from "../home.js";
import { printOutcome } from "./print-outcome.js";

await printOutcome(async () => {
  const { schemaCount, locationCount, faults } = findSchemaFaults(HOME);
  return {
    checked: [
      { count: schemaCount, thing: "schema" },
      { count: locationCount, thing: "location" },
    ],
    findings: toFindings(HOME, faults),
  };
});
