/**
 * Types and validators generated from the schemas, the reader of JSONL files, the capture of rollouts, and
 * the exporter to training data. Importing this loads no code generator and no schema compiler.
 */

export * from "#generated/index.js";
export type { BranchError } from "./capture/branch-error.js";
export type { CaptureLogger } from "./capture/delivery/capture-logger.js";
export { createDelivery } from "./capture/delivery/create-delivery.js";
export type { Delivery, DeliveryOptions } from "./capture/delivery/delivery.js";
export type { DeliveryStats } from "./capture/delivery/delivery-stats.js";
export { type ForkOptions, forkRollout } from "./capture/fork.js";
export type { BranchAnswer, BranchContext, ForkAgent } from "./capture/fork-agent.js";
export {
  createRecorder,
  type RecordedCall,
  type RecordedResult,
  type Recorder,
  type Recording,
} from "./capture/recorder.js";
export type { Redact } from "./capture/redact/redact.js";
export type { RedactOptions } from "./capture/redact/redact-options.js";
export { redactSecrets } from "./capture/redact/redact-secrets.js";
export type { ConsoleSinkOptions } from "./capture/sinks/console.js";
export { createSink, type SinkOptions } from "./capture/sinks/create-sink.js";
export type { FileSinkOptions } from "./capture/sinks/file.js";
export type { HttpSinkOptions } from "./capture/sinks/http.js";
export type { RetryPolicy } from "./capture/sinks/retry-delay.js";
export type { Batch, Sink } from "./capture/sinks/sink.js";
export { SinkError, type SinkErrorKind } from "./capture/sinks/sink-error.js";
export { createSnapshotRoom, type SnapshotRoom } from "./capture/snapshot-room.js";
export { SNAPSHOT_MARKS, toSnapshot } from "./capture/to-snapshot.js";
export {
  createTracer,
  type Tracer,
  type TracerOptions,
  type TraceStep,
} from "./capture/trace/create-tracer.js";
export {
  type ComparedTrajectory,
  type Comparison,
  fillPreferences,
  type PerTrajectory,
} from "./capture/trace/fill-preferences.js";
export type { DistillationOutcome } from "./capture/trace/kinds/distillation.js";
export { traceKinds } from "./capture/trace/kinds/index.js";
export type { MessageOutcome } from "./capture/trace/kinds/message.js";
export type { MultiplayerOutcome } from "./capture/trace/kinds/multiplayer.js";
export type { PreferenceOutcome } from "./capture/trace/kinds/preference.js";
export type { ProblemOutcome } from "./capture/trace/kinds/problem.js";
export type { GradedCriterion, RubricOutcome } from "./capture/trace/kinds/rubric.js";
export type { RewardTerm, RewardTerms } from "./capture/trace/to-reward-data.js";
export type {
  StepOutcome,
  StepParts,
  TraceKind,
  TracePrompt,
  TraceResponse,
} from "./capture/trace/trace-kind.js";
export type { EvalItem, EvalItemRef, G3Finding, G3Task } from "./decontamination/corpus.js";
export {
  createEvalIndex,
  type EvalIndex,
  type G3Options,
  validateG3,
} from "./decontamination/eval-index.js";
export { type EvalItemOptions, readEvalItems } from "./decontamination/eval-items.js";
export {
  type BuiltRollout,
  buildRollout,
  type OmissionReason,
  type UnreadableToolEvent,
} from "./export/build-rollout.js";
export type { ObjectMessage, ShareGptTurn, TextMessage } from "./export/conversation/dialects.js";
export type { AnswerMessage } from "./export/conversation/messages.js";
export { toMessages } from "./export/conversation/messages.js";
export {
  type ExportedRollouts,
  type ExportRolloutsOptions,
  exportRollouts,
} from "./export/export-rollouts.js";
export { taskHash, toDpoRecord, toPpoRecords } from "./export/flat-records.js";
export {
  type DemonstrationReason,
  type DemonstrationSelection,
  groupByRollout,
  type PairReason,
  type PairSelection,
  type PreferencePair,
  selectDemonstration,
  selectPair,
} from "./export/selection.js";
export { type TargetId, targets } from "./export/targets/index.js";
export type { LlamaFactoryPreference } from "./export/targets/llama-factory.js";
export type { NemoRlCompletion, NemoRlPreference } from "./export/targets/nemo-rl.js";
export type { OpenAiPreference } from "./export/targets/openai.js";
export type { ExportTarget, OutputKind } from "./export/targets/target.js";
export { type ExportOptions, resolveExportOptions } from "./export/targets/target.js";
export type { TinkerLabeledComparison } from "./export/targets/tinker.js";
export type { TrlPreference, TrlPromptCompletion } from "./export/targets/trl.js";
export type { TrlDemonstration } from "./export/targets/trl-sft.js";
export { toDpoTrainingRecord, toPpoTrainingRecords } from "./export/training-records.js";
export type { InputSource } from "./files/source.js";
export { toJsonl } from "./json/print.js";
export type { JsonObject, JsonValue } from "./json/value.js";
export type { FaultyLine, LineFault, ParsedRecord, RecordLine } from "./jsonl/reader.js";
export { readRecords } from "./jsonl/reader.js";
export type { Judge, JudgeFailure } from "./scoring/judge.js";
export type { ObjectiveVerifier } from "./scoring/objective.js";
export { allPass, buildPasses } from "./scoring/objective.js";
export {
  findUnrankable,
  type RankBranchesOptions,
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
export { inferEntryType } from "./validation/structure.js";
