import {
  type EpochMilliseconds,
  isEpochMilliseconds,
  type RolloutBranchRecord,
} from "#generated/index.js";
import { DEFAULT_WEIGHTS, type ScoreWeights } from "../../scoring/score.js";
import type { BranchConversation } from "../conversation/conversation.js";
import type { ConversationObstacle } from "../conversation/obstacles.js";
import type { Features } from "../features.js";
import type { PreferencePair } from "../selection.js";

/** Settings of an export. */
export interface ExportOptions {
  /** Time of the export, written into Layer 2 provenance: milliseconds since the Unix epoch. */
  readonly exportedAtMs: EpochMilliseconds;
  /** Weights by which the branches were scored; they normalise the reward of Layer 3. */
  readonly weights: ScoreWeights;
  /** Seed of what a target draws at random, such as which answer comes first. Any integer. */
  readonly seed: number;
}

/**
 * Options with their defaults: now, the weights of the format, and seed 0. Throws RangeError when
 * `exportedAtMs` is not a whole number from 0.
 */
export function resolveExportOptions(options: Partial<ExportOptions> = {}): ExportOptions {
  const { exportedAtMs = Date.now(), weights = DEFAULT_WEIGHTS, seed = 0 } = options;
  if (!isEpochMilliseconds(exportedAtMs)) {
    throw new RangeError(`exportedAtMs must be whole milliseconds from 0, is ${exportedAtMs}`);
  }
  return { exportedAtMs, weights, seed };
}

/** The kinds of file that a target writes, in their own order. */
export function outputKinds(target: ExportTarget): OutputKind[] {
  const builders = { dpo: target.toDpo, ppo: target.toPpo, sft: target.toSft };
  return OUTPUT_KINDS.filter((kind) => builders[kind] !== undefined);
}

/** Kinds of file: pairs, rewards, and demonstrations to imitate. */
export const OUTPUT_KINDS = ["dpo", "ppo", "sft"] as const;

export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** A JSON file that a trainer reads beside the records. */
export interface DatasetDescription {
  /** Name of the file, in the folder of the records. */
  readonly name: string;
  readonly value: object;
}

/**
 * A format to export to: one pure function for each kind of file that it writes, and none for the
 * others. `buildRollout` gives each function the conversation of its branch, so that the tool events
 * are read once per branch; a target that is called without it reads the branch itself.
 */
export interface ExportTarget {
  /** Its name in `--target`, and the name of its file. */
  readonly id: string;
  readonly purpose: string;
  /**
   * Whether it turns tool events into messages, and so leaves out those that are neither a call nor
   * a result. Otherwise it copies all of them unchanged, or has none in its records.
   */
  readonly readsToolEvents: boolean;
  /**
   * Columns of each kind of file that it writes, so that Hugging Face `datasets` reads every such file
   * with the same types. Without them it guesses from the first records.
   */
  readonly features: Readonly<Partial<Record<OutputKind, Features>>>;
  /**
   * Why the trainer would refuse or misread the conversation of a branch: its rollout is then left out
   * and counted. Undefined when it would not. Absent when the format holds every conversation.
   */
  findObstacle?(
    branch: RolloutBranchRecord,
    conversation?: BranchConversation,
  ): ConversationObstacle | undefined;
  /**
   * Record of the best and the worst branch of a rollout, when `findObstacle` finds nothing in the chosen
   * one, whose conversation is given.
   */
  toDpo?(pair: PreferencePair, options: ExportOptions, conversation?: BranchConversation): object;
  /** Record of any branch. */
  toPpo?(
    branch: RolloutBranchRecord,
    options: ExportOptions,
    conversation?: BranchConversation,
  ): object;
  /** Record of a branch that is worth imitating: see `selectDemonstration`. */
  toSft?(
    branch: RolloutBranchRecord,
    options: ExportOptions,
    conversation?: BranchConversation,
  ): object;
  /**
   * Description of the files for the trainer; absent when it needs none. `files`: names of the files
   * that were written, in the folder of the description.
   */
  describeDataset?(files: Readonly<Partial<Record<OutputKind, string>>>): DatasetDescription;
}
