import { resolveExportOptions } from "../../export/targets/target.js";
import { profiles } from "../../validation/profiles.js";
import type { RolloutPlan } from "../builders.js";

/** A plan for tests: wire records, which are the shortest. */
export const exportPlan: RolloutPlan = {
  builder: {
    id: "export",
    target: "wire",
    options: resolveExportOptions({ exportedAtMs: 0 }),
  },
  severities: profiles.strict,
  maxErrors: 10,
  skipInvalid: false,
};
