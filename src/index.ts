/**
 * The types and guards of records, and what most programs do with them: load, check, rank, decontaminate, export. Other modules
 * of the package have the rest. Importing this module loads neither a code generator nor a schema compiler. A bundle for
 * browsers has it too, without files.
 */

export * from "#generated/records.js";
export type { Finding, Severity } from "./base/findings/finding.js";
export { inferEntryType } from "./base/json/entry-type.js";
export { toJsonl } from "./base/json/print.js";
export type { JsonObject, JsonValue } from "./base/json/value.js";
export type { RecordInput } from "./base/jsonl/record-input.js";
export type { FaultyLine, LineFault, ParsedRecord, RecordLine } from "./base/jsonl/record-line.js";
export { UserError } from "./base/user-error.js";
export { loadRollouts, readEvalItems, readRecords } from "./files.js";
export type { EvalItemOptions } from "./rollouts/pipeline/decontamination/eval-items.js";
export { toMessages } from "./rollouts/wire/conversation/conversation.js";
export { taskHash } from "./rollouts/wire/conversation/task-hash.js";
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
export type { UnreadableToolEvent } from "./rollouts/wire/export/build-rollout.js";
export {
  type ExportedRollouts,
  type ExportRolloutsOptions,
  exportRollouts,
} from "./rollouts/wire/export/export-rollouts.js";
export { toDpoRecord, toPpoRecords } from "./rollouts/wire/export/flat-records.js";
export { explainReason, type OmissionReason } from "./rollouts/wire/export/reasons.js";
export { groupByRollout } from "./rollouts/wire/export/selection.js";
export type { TargetId } from "./rollouts/wire/export/targets/index.js";
export type { ExportOptions } from "./rollouts/wire/export/targets/target.js";
export {
  toDpoTrainingRecord,
  toPpoTrainingRecords,
} from "./rollouts/wire/export/training-records.js";
export type { Judge, JudgeFailure } from "./rollouts/wire/scoring/judge.js";
export { allPass, buildPasses, type ObjectiveVerifier } from "./rollouts/wire/scoring/objective.js";
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
export {
  DEFAULT_WEIGHTS,
  maxTotalScore,
  normaliseReward,
  type ScoreFault,
  type ScoreWeights,
  totalScore,
} from "./rollouts/wire/scoring/score.js";
export { type BranchFault, checkRollout } from "./rollouts/wire/validation/check-record.js";
export type {
  LoadedRollouts,
  LoadOptions,
  LoadRollouts,
} from "./rollouts/wire/validation/load-branches.js";
