import type { RuleSeverities } from "../../validation/profiles.js";
import type { BuilderPlan } from "./builders/with-builder.js";

/** What every thread has to know of a run; plain data. */
export interface RolloutPlan {
  readonly builder: BuilderPlan;
  readonly severities: RuleSeverities;
  /** How many findings of each severity are listed. */
  readonly maxErrors: number;
  /**
   * Whether a faulty line, or rollout, is left out of the outputs and kept as a reject; what is wrong
   * with it is then a warning. Otherwise it is an error, and there are no outputs.
   */
  readonly skipInvalid: boolean;
}
