/**
 * Types and validators generated from the schemas, and the exporter from rollouts to training data.
 * Importing this loads no code generator and no schema compiler.
 */

export * from "#generated/index.js";
export { createEvalIndex, type EvalIndex } from "./decontamination/create-eval-index.js";
export type { EvalItem } from "./decontamination/eval-item.js";
export type { G3Finding, G3Task } from "./decontamination/g3-finding.js";
export { readEvalItems } from "./decontamination/read-eval-items.js";
export { validateG3 } from "./decontamination/validate-g3.js";
export type { ExportOptions } from "./export/export-options.js";
export { type ExportedRollouts, exportRollouts } from "./export/export-rollouts.js";
export { groupByRollout } from "./export/group-by-rollout.js";
export { type PairReason, type PreferencePair, selectPair } from "./export/select-pair.js";
export { taskHash } from "./export/task-hash.js";
export { toDpoRecord } from "./export/to-dpo-record.js";
export { toDpoTrainingRecord } from "./export/to-dpo-training-record.js";
export { toMessages } from "./export/to-messages.js";
export { toPpoRecords } from "./export/to-ppo-records.js";
export { toPpoTrainingRecords } from "./export/to-ppo-training-records.js";
export { toJsonl } from "./records/to-jsonl.js";
export { normaliseReward } from "./scoring/normalise-reward.js";
export { type ScoreParts, totalScore } from "./scoring/total-score.js";
export { DEFAULT_WEIGHTS, maxTotalScore, type ScoreWeights } from "./scoring/weights.js";
export { UserError } from "./user-error.js";
