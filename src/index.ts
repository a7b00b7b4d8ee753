/**
 * Types and validators generated from the schemas, the JSONL reader, rollout capture, and the exporter to
 * training data. Importing this module loads neither a code generator nor a schema compiler.
 */

export * from "#generated/records.js";
export type { BranchAnswer } from "./capture/answer.js";
export type { BranchContext, CapturedBranch, ForkAgent } from "./capture/branch.js";
export type { BranchError } from "./capture/errors.js";
export { forkRollout } from "./capture/fork.js";
export type { ForkOptions } from "./capture/fork-options.js";
export {
  createRecorder,
  type RecordedCall,
  type RecordedResult,
  type Recorder,
  type Recording,
} from "./capture/recorder.js";
export {
  createSnapshotRoom,
  SNAPSHOT_MARKS,
  type SnapshotRoom,
  toSnapshot,
} from "./capture/snapshot.js";
export type {
  RewardTerm,
  RewardTerms,
  StepOutcome,
  StepParts,
  TraceKind,
  TracePrompt,
  TraceResponse,
} from "./capture/trace/kind.js";
export type {
  DistillationOutcome,
  GradedCriterion,
  MessageOutcome,
  MultiplayerOutcome,
  PreferenceOutcome,
  ProblemOutcome,
  RubricOutcome,
} from "./capture/trace/kinds.js";
export { traceKinds } from "./capture/trace/kinds.js";
export {
  type ComparedTrajectory,
  type Comparison,
  fillPreferences,
  type PerTrajectory,
} from "./capture/trace/preferences.js";
export {
  createTracer,
  type Tracer,
  type TracerOptions,
  type TraceStep,
} from "./capture/trace/tracer.js";
export type { Boilerplate, BoilerplateNgram, TaskCounter } from "./decontamination/boilerplate.js";
export type { EvalItem, EvalItemRef, G3Finding, G3Task } from "./decontamination/corpus.js";
export {
  createEvalIndex,
  type EvalIndex,
  type G3Options,
  type TaskVerdict,
  validateG3,
} from "./decontamination/eval-index.js";
export { type EvalItemOptions, readEvalItems } from "./decontamination/eval-items.js";
export { createDelivery } from "./delivery/create-delivery.js";
export type {
  CaptureLogger,
  Delivery,
  DeliveryOptions,
  DeliveryStats,
} from "./delivery/delivery.js";
export type { ConsoleSinkOptions } from "./delivery/sinks/console.js";
export { createSink, type SinkOptions } from "./delivery/sinks/create-sink.js";
export type { FileSinkOptions } from "./delivery/sinks/file.js";
export type { HttpSinkOptions } from "./delivery/sinks/http.js";
export type { RetryPolicy } from "./delivery/sinks/http-request.js";
export type { Batch, Sink } from "./delivery/sinks/sink.js";
export { SinkError, type SinkErrorKind } from "./delivery/sinks/sink.js";
export * from "./export/index.js";
export type { InputSource } from "./files/source.js";
export { toJsonl } from "./json/print.js";
export type { JsonObject, JsonValue } from "./json/value.js";
export type { FaultyLine, LineFault, ParsedRecord, RecordLine } from "./jsonl/reader.js";
export { type RecordInput, readRecords } from "./jsonl/reader.js";
export type { Redact, RedactOptions } from "./redact/redact.js";
export { redactSecrets } from "./redact/redact-secrets.js";
export type { Judge, JudgeFailure } from "./scoring/judge.js";
export type { ObjectiveVerifier } from "./scoring/objective.js";
export { allPass, buildPasses } from "./scoring/objective.js";
export {
  findUnrankable,
  type RankBranchesOptions,
  type RankedBranch,
  type RankedRollout,
  type RankScoredOptions,
  rankBranches,
  rankScored,
  type UnrankableBranch,
} from "./scoring/rank.js";
export type { ScoreFault } from "./scoring/score.js";
export {
  DEFAULT_WEIGHTS,
  maxTotalScore,
  normaliseReward,
  type ScoreParts,
  type ScoreWeights,
  totalScore,
} from "./scoring/score.js";
export { UserError } from "./user-error.js";
export { inferEntryType } from "./validation/guess-type.js";
