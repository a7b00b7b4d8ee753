import type { Check } from "../check.js";
import { whyNoJudge } from "../workspace.js";

/** Every implementation gives the same verdict and the same faults for every record. */
export const agreement: Check = {
  id: "agreement",
  purpose: "All implementations give the same verdict and the same faults on every record.",
  fix: "find the implementation that departs from the specification, and fix it",
  fixElsewhere:
    "fix an adapter that fails; of two that differ, run generate, and if generated code is still one of them, this is a fault " +
    "of rollout-wire: please report it",
  whyNot: whyNoJudge,
  needs: ["generated-fresh", "fixtures"],
  takesAdapters: true,
  async run(workspace, { adapters = [] } = {}) {
    const { measureAgreement } = await import("../agreement/agreement.js");
    return await measureAgreement(workspace, adapters);
  },
};
