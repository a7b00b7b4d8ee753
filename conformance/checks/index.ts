import { agreement } from "./agreement.js";
import type { Check } from "./check.js";
import { constraintCoverage } from "./constraint-coverage.js";
import { fixtures } from "./fixtures.js";
import { golden } from "./golden.js";
import { semanticRules } from "./semantic-rules.js";

/** Every check, in the order in which they are reported. */
export const checks: readonly Check[] = [
  fixtures,
  constraintCoverage,
  agreement,
  semanticRules,
  golden,
];
