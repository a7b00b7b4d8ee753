/**
 * Records of rollouts for training, without Node: `rollout-wire/export`. They are built from branches in memory; `rollout-wire
 * export` builds them from files.
 */

export { toMessages } from "../conversation/conversation.js";
export type { ObjectMessage, ShareGptTurn, TextMessage } from "../conversation/dialects.js";
export { taskHash } from "../conversation/task-hash.js";
export {
  type BuiltPair,
  type BuiltRollout,
  buildRollout,
  type UnreadableToolEvent,
} from "./build-rollout.js";
export type { PairForm, Preference } from "./comparison.js";
export {
  type ExportedRollouts,
  type ExportRolloutsOptions,
  exportRollouts,
} from "./export-rollouts.js";
export { toDpoRecord, toPpoRecords } from "./flat-records.js";
export { explainReason, type OmissionReason } from "./reasons.js";
export {
  type DemonstrationReason,
  type DemonstrationSelection,
  groupByRollout,
  type Pairing,
  type PairReason,
  type PairSelection,
  type PreferencePair,
  selectDemonstration,
  selectPair,
} from "./selection.js";
export { type TargetId, targets } from "./targets/index.js";
export type { LlamaFactoryPreference } from "./targets/llama-factory.js";
export type { NemoRlCompletion, NemoRlPreference } from "./targets/nemo-rl.js";
export type { OpenAiPreference } from "./targets/openai.js";
export type { ExportTarget, MissingTools, OutputKind } from "./targets/target.js";
export { type ExportOptions, resolveExportOptions } from "./targets/target.js";
export type { TinkerLabeledComparison } from "./targets/tinker.js";
export type { TrlPreference, TrlPromptCompletion } from "./targets/trl.js";
export type { TrlLabelled } from "./targets/trl-kto.js";
export type { TrlDemonstration } from "./targets/trl-sft.js";
export { toDpoTrainingRecord, toPpoTrainingRecords } from "./training-records.js";
