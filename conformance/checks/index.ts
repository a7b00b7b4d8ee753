import { agreement } from "./agreement.js";
import type { Check } from "./check.js";
import { fixtures } from "./fixtures.js";

/** Every check, in the order in which they are reported. */
export const checks: readonly Check[] = [fixtures, agreement];
