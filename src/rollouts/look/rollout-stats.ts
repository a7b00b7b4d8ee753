import { Distribution } from "./distribution.js";
import type { BranchView, Outcome, PairView, RolloutView } from "./rollout-view.js";

/** Sizes of branches. */
class Sizes {
  /** Assistant turns of a branch. */
  readonly turns = new Distribution();
  /** UTF-16 code units of all messages of a branch, without arguments of calls. */
  readonly characters = new Distribution();

  add({ messages, turns }: BranchView): void {
    this.turns.add(turns);
    this.characters.add(messages.reduce((sum, { content }) => sum + content.length, 0));
  }
}

/** Calls of a tool. */
interface ToolCounts {
  calls: number;
  /** Those that ended in an error. */
  failed: number;
}

/** Tools that are counted by name: a log with more has a name for each call. */
const MAX_TOOLS = 10_000;

/** What many rollouts look like together. Memory does not grow with their number. */
export class RolloutStats {
  /** Number of rollouts. */
  rollouts = 0;
  /** Number of rollouts with a pair. */
  pairs = 0;
  /** Number of rollouts without a pair, by reason. */
  readonly reasons = new Map<Exclude<Outcome, "pair">, number>();
  /** Number of branches by verdict. */
  readonly verdicts = new Map<string, number>();
  readonly branches = new Distribution();
  readonly scores = new Distribution();
  readonly sizes = new Sizes();
  /** Of the chosen branches of pairs. */
  readonly chosen = new Sizes();
  /** Of the rejected branches of pairs. */
  readonly rejected = new Sizes();
  /** The assistant turn in which a pair parts, from 1. */
  readonly divergenceTurns = new Distribution();

  readonly #tools = new Map<string, ToolCounts>();

  /** Calls by tool: first those that fail most, then those that are called most. */
  get tools(): (readonly [name: string, counts: Readonly<ToolCounts>])[] {
    return [...this.#tools].sort(([, a], [, b]) => b.failed - a.failed || b.calls - a.calls);
  }

  add(view: RolloutView): void {
    this.rollouts += 1;
    this.branches.add(view.branches.length);
    for (const branch of view.branches) this.#addBranch(branch);
    if (view.outcome !== "pair") increment(this.reasons, view.outcome);
    else if (view.pair !== undefined) this.#addPair(view.pair);
  }

  #addBranch(view: BranchView): void {
    const { branch, verdict } = view;
    if (branch.total_score !== undefined) this.scores.add(branch.total_score);
    increment(this.verdicts, verdict ?? "not verified");
    this.sizes.add(view);
    for (const { tool_calls: calls = [] } of view.messages) {
      for (const call of calls) this.#countCall(call.function.name, "calls");
    }
    for (const name of view.failedCalls) this.#countCall(name, "failed");
  }

  #countCall(name: string, what: keyof ToolCounts): void {
    const counts = this.#tools.get(name) ?? { calls: 0, failed: 0 };
    counts[what] += 1;
    if (this.#tools.size < MAX_TOOLS) this.#tools.set(name, counts);
  }

  #addPair({ chosen, rejected, parting }: PairView): void {
    this.pairs += 1;
    this.divergenceTurns.add(parting.turn);
    this.chosen.add(chosen);
    this.rejected.add(rejected);
  }
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
