import type { Adapter } from "../agreement/adapter.js";
import { judgeAgreement } from "../agreement/judge-agreement.js";
import type { Check } from "./check.js";

/** Every implementation gives the same verdict on every record, and the same faults. */
export const agreement: Check = createAgreementCheck();

/** The check with foreign implementations beside the four of the checkout. */
export function createAgreementCheck(foreign: readonly Adapter[] = []): Check {
  return {
    id: "agreement",
    purpose: "All implementations give the same verdict and the same faults on every record.",
    mend: "find out which of them departs from the specification, and correct it",
    run: (root) => judgeAgreement(root, foreign),
  };
}
