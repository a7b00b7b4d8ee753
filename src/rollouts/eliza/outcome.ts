import type { ModelContext, ObjectiveStatus, ToolEvent } from "#generated/index.js";
import type { PairReason } from "../wire/export/selection.js";

/** The outcome of one run of an action, or of one plain reply. */
export interface Outcome {
  /** What the user asked for: not empty, well-formed. */
  readonly task: string;
  /** What the user was told; empty if the run threw, or said nothing. */
  readonly answer: string;
  /** What the model was given before it chose the action or wrote the reply. */
  readonly context: ModelContext;
  /** The success or failure that it reported, or its error; undefined if it reported nothing. */
  readonly verdict: Exclude<ObjectiveStatus, "unknown"> | undefined;
  readonly threw: boolean;
  readonly events: readonly ToolEvent[];
  /** The elizaOS room of the conversation; empty if it has none. */
  readonly sessionId: string;
}

/** An outcome and its score; null if there is none. */
export interface ScoredOutcome extends Outcome {
  readonly score: number | null;
}

/**
 * Why something was not recorded: the message has no text (`empty-task`), the agent did not reply
 * (`no-reply`), the redaction threw (`redaction-failed`) or made a record invalid (`invalid-record`), or
 * the runs of an action gave no pair.
 */
export type SkipReason =
  | "empty-task"
  | "no-reply"
  | "redaction-failed"
  | "invalid-record"
  | PairReason;

/** How many runs the plugin recorded, and why it skipped others. */
export interface CaptureCounts {
  /** Runs of actions and plain replies that were recorded; each branch is one. */
  readonly captured: number;
  /** Of these, the ones without a score. */
  readonly unscored: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
}

export interface CaptureCounter {
  readonly addCaptured: (unscored: boolean) => void;
  readonly addSkipped: (reason: SkipReason) => void;
  readonly counts: () => CaptureCounts;
}

export function createCaptureCounter(): CaptureCounter {
  const totals = { captured: 0, unscored: 0 };
  const skipped: Partial<Record<SkipReason, number>> = {};
  return {
    addCaptured(unscored) {
      totals.captured += 1;
      if (unscored) totals.unscored += 1;
    },
    addSkipped(reason) {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
    },
    counts: () => ({ ...totals, skipped: { ...skipped } }),
  };
}
