/**
 * Why a branch has no answer, or not all of what the agent gave: the field `branch_error` of its record.
 * The format has no field for it, and its records are open.
 */
export interface BranchError {
  /**
   * - `threw`: the agent threw, or its promise was rejected;
   * - `timeout`: it did not answer in time;
   * - `aborted`: the run was aborted while it ran;
   * - `not-started`: the run was aborted before its turn;
   * - `invalid-answer`: it gave something that is no answer, or only in part.
   */
  readonly kind: "threw" | "timeout" | "aborted" | "not-started" | "invalid-answer";
  readonly message: string;
  /** Name of the error that was thrown, such as `TypeError`. */
  readonly name?: string;
  /** Its code, such as `ECONNRESET`. */
  readonly code?: string | number;
}
