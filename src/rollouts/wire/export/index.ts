/** The parts of `exportRollouts`, which is in the root: `rollout-wire/export`. They need no files. */

export type { ObjectMessage, ShareGptTurn, TextMessage } from "../conversation/dialects.js";
export {
  type BuiltPair,
  type BuiltRollout,
  buildRollout,
  type Hindrance,
} from "./build-rollout.js";
export type { CommonPrompt, PairForm, Preference } from "./comparison.js";
export {
  type DemonstrationReason,
  type DemonstrationSelection,
  type Pairing,
  type PairReason,
  type PairSelection,
  type PreferencePair,
  selectDemonstration,
  selectPair,
} from "./selection.js";
export type {
  AtifAgent,
  AtifResult,
  AtifStep,
  AtifTrajectory,
  AtifVerdict,
} from "./targets/atif.js";
export { targets } from "./targets/index.js";
export type { LlamaFactoryPreference } from "./targets/llama-factory.js";
export type { NemoRlCompletion, NemoRlPreference } from "./targets/nemo-rl.js";
export type { OpenAiPreference } from "./targets/openai.js";
export {
  type ExportTarget,
  type MissingTools,
  type OutputKind,
  resolveExportOptions,
} from "./targets/target.js";
export type { TinkerLabeledComparison } from "./targets/tinker.js";
export type { TrlPreference, TrlPromptCompletion } from "./targets/trl.js";
export type { TrlLabelled } from "./targets/trl-kto.js";
export type { TrlDemonstration } from "./targets/trl-sft.js";
