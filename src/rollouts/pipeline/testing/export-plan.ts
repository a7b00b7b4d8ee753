import { resolveExportOptions } from "../../wire/export/targets/target.js";
import { profiles } from "../../wire/validation/profiles.js";
import type { RolloutBuilder, RolloutPlan } from "../builder.js";
import { createRankBuilder } from "../create-builder.js";
import { createExportBuilder } from "../export-builder.js";

/** A plan for tests. It exports wire records, which are the shortest. */
export const exportPlan: RolloutPlan = {
  builder: {
    id: "export",
    target: "wire",
    options: resolveExportOptions({ exportedAtMs: 0 }),
  },
  severities: profiles.strict,
  maxErrors: 10,
  skipInvalid: false,
  keepRejects: false,
};

/** The builder of a plan, without waiting for its module to load. */
export function builderOf({ builder }: RolloutPlan): RolloutBuilder {
  return builder.id === "export" ? createExportBuilder(builder) : createRankBuilder(builder);
}
