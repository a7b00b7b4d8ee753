/** Records what agents do as branches: `rollout-wire/capture`. */

export type { BranchAnswer } from "./answer.js";
export type { BranchContext, CapturedBranch, ForkAgent } from "./branch.js";
export type { BranchError } from "./errors.js";
export { forkRollout } from "./fork.js";
export type { ForkOptions } from "./fork-options.js";
export {
  createRecorder,
  type RecordedCall,
  type RecordedResult,
  type Recorder,
  type Recording,
} from "./recorder.js";
export { createSnapshotRoom, SNAPSHOT_MARKS, type SnapshotRoom, toSnapshot } from "./snapshot.js";
export type {
  RewardTerm,
  RewardTerms,
  StepOutcome,
  StepParts,
  TraceKind,
  TracePrompt,
  TraceResponse,
} from "./trace/kind.js";
export {
  type DistillationOutcome,
  type GradedCriterion,
  type MessageOutcome,
  type MultiplayerOutcome,
  type PreferenceOutcome,
  type ProblemOutcome,
  type RubricOutcome,
  traceKinds,
} from "./trace/kinds.js";
export {
  type ComparedTrajectory,
  type Comparison,
  fillPreferences,
  type PerTrajectory,
} from "./trace/preferences.js";
export { createTracer, type Tracer, type TracerOptions, type TraceStep } from "./trace/tracer.js";
