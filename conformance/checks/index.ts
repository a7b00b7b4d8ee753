import type { Check } from "../check.js";
import { agreement } from "./agreement.js";
import { bumpMatchesVerdict } from "./bump-matches-verdict.js";
import { constraintCoverage } from "./constraint-coverage.js";
import { fixtures } from "./fixtures.js";
import { generatedFresh } from "./generated-fresh.js";
import { golden } from "./golden.js";
import { registry } from "./registry.js";
import { registryHashes } from "./registry-hashes.js";
import { releasedImmutable } from "./released-immutable.js";
import { schemaLint } from "./schema-lint.js";
import { semanticRules } from "./semantic-rules.js";

/** Every check, in the order of the report. */
export const checks: readonly Check[] = [
  registry,
  registryHashes,
  releasedImmutable,
  bumpMatchesVerdict,
  schemaLint,
  generatedFresh,
  fixtures,
  constraintCoverage,
  agreement,
  semanticRules,
  golden,
];
