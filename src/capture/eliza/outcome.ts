import type { ToolEvent } from "#generated/index.js";

/** What one run of an action, or one plain reply, came to. */
export interface Outcome {
  /** What the user asked for: not empty, well-formed. */
  readonly task: string;
  /** What the user was told; empty when the run threw, or said nothing. */
  readonly answer: string;
  /** Whether it did what it was to do: it did not throw, and did not report a failure. */
  readonly passed: boolean;
  readonly threw: boolean;
  readonly events: readonly ToolEvent[];
  /** Room in which the conversation takes place; empty when it has none. */
  readonly sessionId: string;
}

/** An outcome, and what the scorer gave for it; null when there is no score. */
export interface ScoredOutcome extends Outcome {
  readonly score: number | null;
}
