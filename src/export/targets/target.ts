import type { RolloutBranchRecord } from "#generated/index.js";
import type { ExportOptions } from "../export-options.js";
import type { Features } from "../features/feature.js";
import type { ConversationObstacle } from "../find-obstacle.js";
import type { PreferencePair } from "../select-pair.js";

/** What a file of an export holds: pairs, rewards, or demonstrations to imitate. */
export const OUTPUT_KINDS = ["dpo", "ppo", "sft"] as const;

export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** A JSON file that a trainer reads beside the records. */
export interface DatasetDescription {
  /** Name of the file, in the folder of the records. */
  readonly name: string;
  readonly value: object;
}

/**
 * A format to export to: one pure function for each kind of file that it writes, and none for a kind
 * that it does not know.
 */
export interface ExportTarget {
  /** What `--target` calls it; also its file's name. */
  readonly id: string;
  readonly purpose: string;
  /**
   * Whether it makes messages of the tool events, and so leaves out those that are neither a call nor
   * a result; otherwise it carries all of them as they came.
   */
  readonly readsToolEvents: boolean;
  /**
   * Columns of each kind of file that it writes, so that Hugging Face `datasets` reads every file of
   * that kind alike, and gives back what was written: without them it guesses from the first records.
   */
  readonly features: Readonly<Partial<Record<OutputKind, Features>>>;
  /**
   * Why the trainer would refuse or misread the conversation of a branch, which is then left out and
   * counted; undefined when it would not. Absent: the format holds every conversation.
   */
  findObstacle?(branch: RolloutBranchRecord): ConversationObstacle | undefined;
  /** Record of the best and the worst branch of a rollout; asks `findObstacle` for the chosen one. */
  toDpo?(pair: PreferencePair, options: ExportOptions): object;
  /** Record of any branch. */
  toPpo?(branch: RolloutBranchRecord, options: ExportOptions): object;
  /** Record of a branch that is worth imitating: see `selectDemonstration`. */
  toSft?(branch: RolloutBranchRecord, options: ExportOptions): object;
  /**
   * What the trainer wants to be told about the files; absent when the records say it all. `files`:
   * names of the files that were written, which lie in the folder of the description.
   */
  describeDataset?(files: Readonly<Partial<Record<OutputKind, string>>>): DatasetDescription;
}
