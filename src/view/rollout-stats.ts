import type { OmissionReason } from "../export/reasons.js";
import { Distribution } from "./distribution.js";
import type { BranchView, RolloutView } from "./rollout-view.js";

/** Why a rollout has no pair: a reason of the exporter, or that not all of its branches are ranked. */
export type NoPairReason = OmissionReason | "not-ranked";

/** What many rollouts look like together. Memory does not grow with their number. */
export class RolloutStats {
  /** Number of rollouts. */
  rollouts = 0;
  /** Number of rollouts with a pair. */
  pairs = 0;
  /** Number of rollouts without a pair, by reason. */
  readonly reasons = new Map<NoPairReason, number>();
  /** Number of branches by verdict. */
  readonly verdicts = new Map<string, number>();
  readonly branches = new Distribution();
  readonly scores = new Distribution();
  /** Assistant turns of a branch. */
  readonly turns = new Distribution();
  /** UTF-16 code units of all messages of a branch, without arguments of calls. */
  readonly characters = new Distribution();
  /** The assistant turn in which a pair parts, from 1. */
  readonly divergenceTurns = new Distribution();

  add({ branches, pair }: RolloutView): void {
    this.rollouts += 1;
    this.branches.add(branches.length);
    for (const branch of branches) this.#addBranch(branch);
    const isRanked = branches.every(({ branch }) => branch.rank !== undefined);
    if (pair !== undefined && pair.reason === undefined) {
      this.pairs += 1;
      this.divergenceTurns.add(pair.sharedTurns + 1);
      return;
    }
    const reason = pair?.reason ?? (isRanked ? "single-branch" : "not-ranked");
    increment(this.reasons, reason);
  }

  #addBranch({ branch, messages, turns, verdict }: BranchView): void {
    if (branch.total_score !== undefined) this.scores.add(branch.total_score);
    increment(this.verdicts, verdict ?? "not verified");
    this.turns.add(turns);
    this.characters.add(messages.reduce((sum, { content }) => sum + content.length, 0));
  }
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
