import type { RolloutBranchRecord } from "#generated/index.js";
import type { ExportOptions } from "../export-options.js";
import type { PreferencePair } from "../select-pair.js";

/** A format to export to: how it writes a pair, and how it writes a branch. Pure functions. */
export interface ExportTarget<Dpo extends object, Ppo extends object> {
  /** What `--target` calls it; also its file's name. */
  readonly id: string;
  readonly purpose: string;
  /**
   * Whether it makes messages of the tool events, and so leaves out those that are neither a call nor
   * a result; otherwise it carries all of them as they came.
   */
  readonly readsToolEvents: boolean;
  toDpo(pair: PreferencePair, options: ExportOptions): Dpo;
  toPpo(branch: RolloutBranchRecord, options: ExportOptions): Ppo;
}
