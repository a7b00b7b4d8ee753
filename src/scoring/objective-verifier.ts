import type { ObjectiveStatus, RolloutBranch } from "#generated/index.js";

/**
 * Judges one branch by a criterion that needs no opinion: the build passes, a test passes, a state is
 * reached. Pure, and quick enough to be asked again.
 *
 * - `pass`, `fail`: what the criterion says;
 * - `unknown`: the verification did not finish, or contradicts itself;
 * - undefined: it did not run, and the branch holds nothing to judge by.
 */
export type ObjectiveVerifier = (branch: RolloutBranch) => ObjectiveStatus | undefined;
