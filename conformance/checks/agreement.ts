import { measureAgreement } from "../agreement/agreement.js";
import type { Check } from "../check.js";

/** Every implementation gives the same verdict and the same faults for every record. */
export const agreement: Check = {
  id: "agreement",
  purpose: "All implementations give the same verdict and the same faults on every record.",
  fix: "find the implementation that departs from the specification, and fix it",
  whyNot: ({ isOurs }) => (isOurs ? undefined : "so far it runs in that of rollout-wire alone"),
  needs: ["generated-fresh"],
  takesAdapters: true,
  run: (workspace, { adapters = [] } = {}) => measureAgreement(workspace, adapters),
};
