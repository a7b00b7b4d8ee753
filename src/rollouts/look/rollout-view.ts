import type {
  Message,
  ObjectiveStatus,
  Open,
  RolloutBranch,
  RolloutBranchRecord,
  ToolDefinition,
} from "#generated/index.js";
import { BranchConversation } from "../wire/conversation/conversation.js";
import { findDivergence } from "../wire/conversation/divergence.js";
import { type BuiltPair, buildRollout } from "../wire/export/build-rollout.js";
import { explainReason, type OmissionReason } from "../wire/export/reasons.js";
import { inRankOrder } from "../wire/export/selection.js";
import { type TargetId, targets } from "../wire/export/targets/index.js";
import { onlyKinds, resolveExportOptions } from "../wire/export/targets/target.js";
import { findPlace, type Parting } from "./parting.js";

/** A branch with its conversation. */
export interface BranchView {
  /** It may be captured only: then it has no rank and no total score. */
  readonly branch: Open<RolloutBranch> & Partial<RolloutBranchRecord>;
  /** Context, task and turns; see `toMessages`. */
  readonly messages: readonly Message[];
  /** Index of the task among them. */
  readonly taskIndex: number;
  readonly tools: readonly ToolDefinition[] | undefined;
  /** Number of assistant messages after the task. */
  readonly turns: number;
  /** Names of the tools of its calls that ended in an error, one for each call. */
  readonly failedCalls: readonly string[];
  /** Undefined if the branch was not verified. */
  readonly verdict: ObjectiveStatus | undefined;
}

/** The two branches that are compared, and whether they make a pair. */
export interface PairView {
  readonly chosen: BranchView;
  readonly rejected: BranchView;
  readonly parting: Parting;
  /** Why the target gets no pair; undefined if it gets one. */
  readonly reason: OmissionReason | undefined;
}

/** What becomes of a rollout: a pair, or why there is none, which may be that a branch is not ranked or a rule is broken. */
export type Outcome = "pair" | "not-ranked" | "invalid" | OmissionReason;

/** An outcome in words; empty for a pair. */
export function explainOutcome(outcome: Outcome): string {
  if (outcome === "pair") return "";
  if (outcome === "not-ranked") return "a branch has no rank and score: rank the file first";
  if (outcome === "invalid") return "its branches break a rule together, which validate names";
  return explainReason(outcome);
}

/** A rollout as a person looks at it. */
export interface RolloutView {
  readonly id: string;
  /** Best first; in the order of `branch_index` if a branch is not ranked. */
  readonly branches: readonly BranchView[];
  /** Number of messages that all branches begin with; 0 for a single branch. */
  readonly shared: number;
  /** What the target gets. */
  readonly outcome: Outcome;
  /** The pair of best and worst; undefined for a single branch, and for branches that are invalid or not ranked. */
  readonly pair: PairView | undefined;
}

export interface ViewOptions {
  /** Number of its lines that are no valid branch. */
  readonly lost?: number;
  /** Whether its branches break a rule together. */
  readonly isInvalid?: boolean;
  readonly target?: TargetId;
}

/** Default options; pairs do not depend on the time. */
const OPTIONS = resolveExportOptions({ exportedAtMs: 0 });

/**
 * Prepares one rollout to be looked at. The pair is the first that `target` gets with default options; if it gets none, the
 * pair is that of the best branch and the worst.
 */
export function viewRollout(
  id: string,
  given: readonly RolloutBranch[],
  { lost = 0, isInvalid = false, target = "trl" }: ViewOptions = {},
): RolloutView {
  const ranked = given.filter(isRanked);
  const areRanked = ranked.length === given.length;
  const ordered = areRanked
    ? inRankOrder(ranked)
    : given.toSorted((a, b) => a.branch_index - b.branch_index);
  const branches = ordered.map(viewBranch);
  const [first, ...others] = branches;
  const starts = others.map(({ messages }) => findDivergence(first?.messages ?? [], messages));
  const shared = starts.reduce((least, start) => Math.min(least, start), starts[0] ?? 0);
  const none = { id, branches, shared, pair: undefined };
  if (isInvalid) return { ...none, outcome: "invalid" };
  if (!areRanked) return { ...none, outcome: "not-ranked" };
  const { pairs, omitted } = buildRollout(
    ranked,
    onlyKinds(targets[target], ["dpo"]),
    OPTIONS,
    lost,
  );
  const pair = viewPair(branches, pairs[0], omitted.dpo);
  return { id, branches, shared, outcome: omitted.dpo ?? "pair", pair };
}

/** Whether a valid branch is ranked: then it was validated as such. */
export function isRanked(branch: RolloutBranch): branch is RolloutBranchRecord {
  return "rank" in branch;
}

function viewBranch(branch: BranchView["branch"]): BranchView {
  const { messages, eventTurns, taskIndex, tools } = new BranchConversation(branch);
  const calls = eventTurns.flatMap((turn) => turn.calls);
  return {
    ...{ branch, messages, taskIndex, tools },
    failedCalls: calls
      .filter(({ result }) => result?.error !== undefined)
      .map(({ call }) => call.name),
    turns: messages.slice(taskIndex + 1).filter(({ role }) => role === "assistant").length,
    verdict: verdictOf(branch),
  };
}

function verdictOf({
  objective_status: status,
  objective_score: score,
}: BranchView["branch"]): ObjectiveStatus | undefined {
  if (status !== undefined || score === undefined) return status;
  return score === 1 ? "pass" : "fail";
}

function viewPair(
  branches: readonly BranchView[],
  made: BuiltPair | undefined,
  reason: OmissionReason | undefined,
): PairView | undefined {
  if (branches.length < 2) return undefined;
  const find = (index: number | undefined): BranchView | undefined =>
    branches.find(({ branch }) => branch.branch_index === index);
  const chosen = find(made?.chosen) ?? branches[0];
  const rejected = find(made?.rejected) ?? branches.at(-1);
  if (chosen === undefined || rejected === undefined) return undefined;
  const parting = findPlace(chosen, rejected, OPTIONS.pairs, reason);
  return { chosen, rejected, parting, reason };
}
