import { ROLLOUT_BRANCH_SCHEMA_VERSION, type RolloutBranch } from "#generated/index.js";
import type { BranchError } from "./branch-error.js";
import { describeThrown } from "./describe-thrown.js";
import type { BranchContext, ForkAgent } from "./fork-agent.js";
import { type AnswerReading, readAnswer } from "./read-answer.js";
import { createRecorder } from "./recorder.js";
import { createSnapshotRoom } from "./snapshot-room.js";

/** Of the room of a record: however much is recorded, there is room for the answer. */
const EVENTS_SHARE = 0.4;

/** What is known of a branch before it runs. */
export interface BranchPlan extends Omit<BranchContext, "seed" | "signal" | "recorder"> {
  readonly rolloutId: RolloutBranch["rollout_id"];
  /** Null when this branch is not seeded, undefined when none is. */
  readonly seed: number | null | undefined;
}

/** A branch whose agent is at work. */
export interface RunningBranch {
  /** Resolves when the branch has ended, however it did; never rejects. */
  readonly record: Promise<RolloutBranch>;
  /** Ends it with the events so far, unless it has ended, and tells the agent why. */
  readonly abort: (reason: unknown) => void;
}

/**
 * Starts an agent on a branch. Whatever it does, the branch ends once: by its answer, by what it throws,
 * when `timeoutMs` are over, or by `abort`. What it does afterwards changes nothing.
 */
export function startBranch(
  plan: BranchPlan,
  agent: ForkAgent,
  timeoutMs: number | undefined,
): RunningBranch {
  const { recorder, events, omitted, end } = createRecorder(createSnapshotRoom(EVENTS_SHARE));
  const controller = new AbortController();
  const context: BranchContext = Object.freeze({
    task: plan.task,
    branchIndex: plan.branchIndex,
    temperature: plan.temperature,
    seed: plan.seed ?? null,
    sessionId: plan.sessionId,
    signal: controller.signal,
    recorder,
  });

  let timer: NodeJS.Timeout | undefined;
  let resolve: (record: RolloutBranch) => void = () => {};
  const record = new Promise<RolloutBranch>((resolveRecord) => {
    resolve = resolveRecord;
  });
  let ended = false;
  /** The first ending is the one that counts. */
  const settle = (toEnding: () => BranchEnding): boolean => {
    if (ended) return false;
    ended = true;
    clearTimeout(timer);
    end();
    resolve(toRecord(plan, { events: events(), omitted: omitted() }, toEnding()));
    return true;
  };
  const giveUp = (kind: "timeout" | "aborted", message: string, reason: unknown): void => {
    // First the record: listeners of the agent's run within `abort`.
    if (settle(() => toUnanswered({ kind, message }))) controller.abort(reason);
  };

  // Not at once, so that the caller holds the branch before the agent can do anything.
  Promise.resolve(context)
    .then(agent)
    .then(
      (answer) => settle(() => toAnswered(readAnswer(answer))),
      (thrown) => settle(() => toUnanswered({ kind: "threw", ...describeThrown(thrown) })),
    );
  if (timeoutMs !== undefined) {
    timer = setTimeout(() => {
      const message = `no answer within ${timeoutMs} ms`;
      giveUp("timeout", message, new DOMException(message, "TimeoutError"));
    }, timeoutMs);
  }
  return {
    record,
    abort: (reason) => giveUp("aborted", describeReason(reason), reason),
  };
}

/** The record of a branch that was never started. */
export function toUnstarted(plan: BranchPlan, reason: unknown): RolloutBranch {
  return toRecord(
    plan,
    { events: [], omitted: 0 },
    toUnanswered({ kind: "not-started", message: describeReason(reason) }),
  );
}

/** Signals of older libraries have no reason. */
function describeReason(reason: unknown): string {
  return reason === undefined ? "aborted" : describeThrown(reason).message;
}

interface BranchEnding {
  readonly fields: AnswerReading["fields"];
  readonly error: BranchError | undefined;
}

function toAnswered({ fields, faults }: AnswerReading): BranchEnding {
  if (faults.length === 0) return { fields, error: undefined };
  const shown = faults.slice(0, MAX_FAULTS);
  if (faults.length > MAX_FAULTS) shown.push(`${faults.length - MAX_FAULTS} more`);
  return { fields, error: { kind: "invalid-answer", message: shown.join("; ") } };
}

/** Of an answer with many steps, each may be faulty. */
const MAX_FAULTS = 10;

/**
 * A branch that was aborted has not failed: nobody waited for it. As `unknown` it is left out of pairs,
 * where it would stand for an answer that is worse than the others.
 */
function toUnanswered(error: BranchError): BranchEnding {
  const isOwnFault = error.kind === "threw" || error.kind === "timeout";
  return {
    fields: { final_answer: "", ...(!isOwnFault && { objective_status: "unknown" }) },
    error,
  };
}

function toRecord(
  plan: BranchPlan,
  { events, omitted }: { events: RolloutBranch["tool_call_sequence"]; omitted: number },
  { fields, error }: BranchEnding,
): RolloutBranch {
  return {
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: plan.rolloutId,
    task: plan.task,
    branch_index: plan.branchIndex,
    temperature: plan.temperature,
    ...(plan.seed !== undefined && { seed: plan.seed }),
    session_id: plan.sessionId,
    tool_call_sequence: events,
    ...fields,
    ...(error && { branch_error: error }),
    ...(omitted > 0 && { tool_events_omitted: omitted }),
  };
}
