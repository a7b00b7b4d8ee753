import { agreement } from "./agreement.js";
import type { Check } from "./check.js";
import { fixtures } from "./fixtures.js";
import { generatedFresh } from "./generated-fresh.js";
import { registry } from "./registry.js";
import { schemaLint } from "./schema-lint.js";

/** Every check, in the order in which they are reported. */
export const checks: readonly Check[] = [registry, schemaLint, generatedFresh, fixtures, agreement];
