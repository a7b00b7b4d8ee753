import type { BranchFacts } from "../rule.js";

/** The facts of a ranked branch, with the given ones overridden. */
export function createFacts(facts: Partial<BranchFacts> = {}): BranchFacts {
  return { branchIndex: 0, task: "add", rank: 1, totalScore: 1, ...facts };
}
