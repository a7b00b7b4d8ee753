/**
 * Types and validators generated from the schemas, the JSONL reader, rollout capture, and the exporter to
 * training data. Importing this module loads neither a code generator nor a schema compiler.
 */

export * from "#generated/records.js";
export type { InputSource } from "./base/files/source.js";
export { inferEntryType } from "./base/json/entry-type.js";
export { toJsonl } from "./base/json/print.js";
export type { JsonObject, JsonValue } from "./base/json/value.js";
export type { FaultyLine, LineFault, ParsedRecord, RecordLine } from "./base/jsonl/reader.js";
export { type RecordInput, readRecords } from "./base/jsonl/reader.js";
export { UserError } from "./base/user-error.js";
export type { BranchAnswer } from "./rollouts/capture/answer.js";
export type { BranchContext, CapturedBranch, ForkAgent } from "./rollouts/capture/branch.js";
export { createDelivery } from "./rollouts/capture/delivery/create-delivery.js";
export type {
  CaptureLogger,
  Delivery,
  DeliveryOptions,
  DeliveryStats,
} from "./rollouts/capture/delivery/delivery.js";
export type { ConsoleSinkOptions } from "./rollouts/capture/delivery/sinks/console.js";
export { createSink, type SinkOptions } from "./rollouts/capture/delivery/sinks/create-sink.js";
export type { FileSinkOptions } from "./rollouts/capture/delivery/sinks/file.js";
export type { HttpSinkOptions } from "./rollouts/capture/delivery/sinks/http.js";
export type { RetryPolicy } from "./rollouts/capture/delivery/sinks/http-request.js";
export type { Batch, Sink } from "./rollouts/capture/delivery/sinks/sink.js";
export { SinkError, type SinkErrorKind } from "./rollouts/capture/delivery/sinks/sink.js";
export type { BranchError } from "./rollouts/capture/errors.js";
export { forkRollout } from "./rollouts/capture/fork.js";
export type { ForkOptions } from "./rollouts/capture/fork-options.js";
export {
  createRecorder,
  type RecordedCall,
  type RecordedResult,
  type Recorder,
  type Recording,
} from "./rollouts/capture/recorder.js";
export type { Redact, RedactOptions } from "./rollouts/capture/redact/redact.js";
export { redactSecrets } from "./rollouts/capture/redact/redact-secrets.js";
export {
  createSnapshotRoom,
  SNAPSHOT_MARKS,
  type SnapshotRoom,
  toSnapshot,
} from "./rollouts/capture/snapshot.js";
export type {
  RewardTerm,
  RewardTerms,
  StepOutcome,
  StepParts,
  TraceKind,
  TracePrompt,
  TraceResponse,
} from "./rollouts/capture/trace/kind.js";
export type {
  DistillationOutcome,
  GradedCriterion,
  MessageOutcome,
  MultiplayerOutcome,
  PreferenceOutcome,
  ProblemOutcome,
  RubricOutcome,
} from "./rollouts/capture/trace/kinds.js";
export { traceKinds } from "./rollouts/capture/trace/kinds.js";
export {
  type ComparedTrajectory,
  type Comparison,
  fillPreferences,
  type PerTrajectory,
} from "./rollouts/capture/trace/preferences.js";
export {
  createTracer,
  type Tracer,
  type TracerOptions,
  type TraceStep,
} from "./rollouts/capture/trace/tracer.js";
export {
  type EvalItemOptions,
  readEvalItems,
} from "./rollouts/pipeline/decontamination/eval-items.js";
export type {
  Boilerplate,
  BoilerplateNgram,
  TaskCounter,
} from "./rollouts/wire/decontamination/boilerplate.js";
export type {
  EvalItem,
  EvalItemRef,
  G3Finding,
  G3Task,
} from "./rollouts/wire/decontamination/corpus.js";
export {
  createEvalIndex,
  type EvalIndex,
  type G3Options,
  type TaskVerdict,
  validateG3,
} from "./rollouts/wire/decontamination/eval-index.js";
export * from "./rollouts/wire/export/index.js";
export type { Judge, JudgeFailure } from "./rollouts/wire/scoring/judge.js";
export type { ObjectiveVerifier } from "./rollouts/wire/scoring/objective.js";
export { allPass, buildPasses } from "./rollouts/wire/scoring/objective.js";
export {
  findUnrankable,
  type RankBranchesOptions,
  type RankedBranch,
  type RankedRollout,
  type RankScoredOptions,
  rankBranches,
  rankScored,
  type UnrankableBranch,
} from "./rollouts/wire/scoring/rank.js";
export type { ScoreFault } from "./rollouts/wire/scoring/score.js";
export {
  DEFAULT_WEIGHTS,
  maxTotalScore,
  normaliseReward,
  type ScoreParts,
  type ScoreWeights,
  totalScore,
} from "./rollouts/wire/scoring/score.js";
