import type { BranchFacts } from "../rule.js";

/** What rules know of a ranked branch, with the facts that a test cares about. */
export function createFacts(facts: Partial<BranchFacts> = {}): BranchFacts {
  return { branchIndex: 0, task: "add", rank: 1, totalScore: 1, ...facts };
}
