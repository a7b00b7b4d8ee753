/** Why a branch has no score: one thing in it that is missing, no score at all, or contradicted. */
export interface ScoreFault {
  readonly id:
    | "no-objective"
    | "objective-score-range"
    | "judge-score-range"
    | "status-agrees-with-score"
    | "build-agrees-with-score";
  /** JSON Pointer (RFC 6901) into the branch; "" when it is the whole branch. */
  readonly pointer: string;
  /** A sentence without its place. */
  readonly message: string;
}
