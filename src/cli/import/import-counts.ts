/** What became of the records of a log. */
export interface ImportCounts {
  /** Branches and rollouts that were imported. */
  readonly branches: number;
  readonly rollouts: number;
  /** Records that are no valid branch. */
  readonly invalid: number;
  /** Rollouts that break a rule, which were left out with their branches. */
  readonly invalidRollouts: number;
  readonly invalidBranches: number;
  /** Files that nothing was imported of. */
  readonly refusedFiles: number;
  /** Records that hold no branch, though nothing is wrong with them, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Steps of imported branches that are not their own. */
  readonly skippedSteps: number;
}
