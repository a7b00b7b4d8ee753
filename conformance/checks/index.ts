import { agreement } from "./agreement.js";
import type { Check } from "./check.js";
import { constraintCoverage } from "./constraint-coverage.js";
import { fixtures } from "./fixtures.js";
import { generatedFresh } from "./generated-fresh.js";
import { golden } from "./golden.js";
import { registry } from "./registry.js";
import { schemaLint } from "./schema-lint.js";
import { semanticRules } from "./semantic-rules.js";

/** Every check, in the order in which they are reported. */
export const checks: readonly Check[] = [
  registry,
  schemaLint,
  generatedFresh,
  fixtures,
  constraintCoverage,
  agreement,
  semanticRules,
  golden,
];
