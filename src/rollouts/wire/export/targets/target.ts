import {
  type EpochMilliseconds,
  isEpochMilliseconds,
  type RolloutBranchRecord,
} from "#generated/index.js";
import type { BranchConversation } from "../../conversation/conversation.js";
import type { ConversationObstacle, LearnedMessages } from "../../conversation/obstacles.js";
import { DEFAULT_WEIGHTS, type ScoreWeights } from "../../scoring/score.js";
import type { PairForm, Preference } from "../comparison.js";
import type { Features } from "../features.js";
import type { DemonstrationReason, Pairing, PreferencePair } from "../selection.js";

/** Settings of an export. */
export interface ExportOptions {
  /** Time of the export in milliseconds since the Unix epoch. It is written to Layer 2 provenance. */
  readonly exportedAtMs: EpochMilliseconds;
  /** Weights with which the branches were scored. They normalise the Layer 3 reward. */
  readonly weights: ScoreWeights;
  /** Seed of a target's random choices, such as which answer comes first. Any integer. */
  readonly seed: number;
  /** Which turns a trainer compares. Targets that write whole pairs ignore it. */
  readonly pairs: PairForm;
  /** Which branches of a rollout are paired. */
  readonly pairing: Pairing;
  /** The least difference of total scores in a pair, from 0. */
  readonly minGap: number;
  /** Maximum number of pairs of a rollout, from 1: those with the largest differences of total scores. */
  readonly maxPairs: number;
  /** Whether a rollout that lost branches is ranked by the total scores of the others. */
  readonly rankAgain: boolean;
  /** What to do about branches that call tools and declare none: refuse them, count them, or nothing. */
  readonly missingTools: MissingTools;
}

/** Options of which any may be absent or undefined. */
type Optional<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };

export const MISSING_TOOLS = ["error", "warn", "allow"] as const;

/** What to do about branches that call tools and declare none. */
export type MissingTools = (typeof MISSING_TOOLS)[number];

/**
 * Fills in defaults: the current time, the weights of the format, seed 0, and one pair of the best and the worst
 * branch where their acts part. Throws RangeError if `exportedAtMs` is not a non-negative integer.
 */
export function resolveExportOptions({
  exportedAtMs = Date.now(),
  weights = DEFAULT_WEIGHTS,
  seed = 0,
  pairs = "act",
  pairing = "best-worst",
  minGap = 0,
  maxPairs = Number.MAX_SAFE_INTEGER,
  rankAgain = false,
  missingTools = "warn",
}: Optional<ExportOptions> = {}): ExportOptions {
  if (!isEpochMilliseconds(exportedAtMs)) {
    throw new RangeError(`exportedAtMs must be whole milliseconds from 0, is ${exportedAtMs}`);
  }
  return { exportedAtMs, weights, seed, pairs, pairing, minGap, maxPairs, rankAgain, missingTools };
}

/** The kinds of file that a target writes, in fixed order. */
export function outputKinds(target: ExportTarget): OutputKind[] {
  const builders = {
    dpo: target.toDpo ?? target.toPreference,
    ppo: target.toPpo,
    sft: target.toSft,
  };
  return OUTPUT_KINDS.filter((kind) => builders[kind] !== undefined);
}

/** The target without the functions for kinds of file that are not wanted. */
export function onlyKinds(target: ExportTarget, kinds: readonly OutputKind[]): ExportTarget {
  const { toDpo, toPreference, toPpo, toSft, ...rest } = target;
  return {
    ...rest,
    ...(kinds.includes("dpo") && {
      ...(toDpo && { toDpo }),
      ...(toPreference && { toPreference }),
    }),
    ...(kinds.includes("ppo") && toPpo && { toPpo }),
    ...(kinds.includes("sft") && toSft && { toSft }),
  };
}

/** Kinds of file: pairs, rewards, and demonstrations to imitate. */
export const OUTPUT_KINDS = ["dpo", "ppo", "sft"] as const;

/** A kind of file: pairs, rewards, or demonstrations to imitate. */
export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** A JSON file that a trainer reads together with the records. */
export interface DatasetDescription {
  /** Name of the file, in the folder of the records. */
  readonly name: string;
  readonly value: object;
}

/**
 * An export format: one pure function for each kind of file that it writes. `buildRollout` passes each function
 * the conversation of its branch, so that the tool events are read once per branch. If a function is called
 * without it, it reads the branch itself.
 */
export interface ExportTarget {
  /** Name of the target in `--target`, and name of its file. */
  readonly id: string;
  readonly purpose: string;
  /**
   * Whether the target converts tool events to messages and therefore omits those that are neither calls nor
   * results. Otherwise it copies all of them unchanged, or has none in its records.
   */
  readonly readsToolEvents: boolean;
  /**
   * Columns of each kind of file, so that Hugging Face `datasets` reads all such files with the same types.
   * Otherwise it would infer them from the first records.
   */
  readonly features: Readonly<Partial<Record<OutputKind, Features>>>;
  /** Whether its records hold what the model thought before it spoke. */
  readonly readsReasoning: boolean;
  /** Whether it reads fields of a branch that no layer of the format holds: its session and its origin. Default: false. */
  readonly readsOrigin?: boolean;
  /** Whether its conversations end in the final answer, even an empty one, never in calls. Default: false. */
  readonly endsInAnswer?: boolean;
  /**
   * Why the trainer would reject or misread a record of these messages. The pair or demonstration is then left
   * out and counted. Undefined if there is no obstacle. Absent if the format can represent every conversation.
   */
  findObstacle?(messages: LearnedMessages): ConversationObstacle | undefined;
  /** Record of a pair of branches as a whole. The conversation is that of the chosen branch. */
  toDpo?(pair: PreferencePair, options: ExportOptions, conversation?: BranchConversation): object;
  /** Record of two turns that continue the same conversation, for a target without `toDpo`. */
  toPreference?(preference: Preference, options: ExportOptions): object;
  /**
   * Why a branch has no record of `toPpo`, nor of `toDpo`. If no branch of a rollout has one, the rollout is counted under
   * the first reason. Absent if every branch has one.
   */
  findUnrewarded?(
    branch: RolloutBranchRecord,
    conversation: BranchConversation,
  ): DemonstrationReason | ConversationObstacle | undefined;
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
   * Describes the files for the trainer; absent if it needs no description. `files` are the names of the
   * written files, in the folder of the description.
   */
  describeDataset?(files: Readonly<Partial<Record<OutputKind, string>>>): DatasetDescription;
}
