import { type GenerationPlan, readPlan } from "../plan.js";

/** The plan in the configuration of a copy, which it must have. */
export function planOf(root: string): GenerationPlan {
  const plan = readPlan(root);
  if (plan === undefined) throw new Error(`${root} has no plan`);
  return plan;
}
