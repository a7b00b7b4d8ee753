import {
  type ModelContext,
  ROLLOUT_BRANCH_SCHEMA_VERSION,
  type RolloutBranch,
} from "#generated/index.js";
import { type AnswerReading, type BranchAnswer, readAnswer } from "./answer.js";
import { type BranchError, describeThrown } from "./errors.js";
import { createRecorder, type Recorder } from "./recorder.js";
import { createSnapshotRoom } from "./snapshot.js";

/** Share of a record's budget for tool events, so that there is always enough left for the answer. */
const EVENTS_SHARE = 0.3;

/** What is known about a branch before it runs. */
export interface BranchPlan extends Omit<BranchContext, "seed" | "signal" | "recorder"> {
  readonly rolloutId: RolloutBranch["rollout_id"];
  /** Null if this branch has no seed, undefined if none has one. */
  readonly seed: number | null | undefined;
}

/** A branch as it was captured, with what the format does not declare. */
export type CapturedBranch = RolloutBranch & {
  /** Why it has no answer, or only a part of one. */
  readonly branch_error?: BranchError;
  /** Number of tool events that were too large for the record. */
  readonly tool_events_omitted?: number;
};

/** A branch whose agent is running. */
export interface RunningBranch {
  /** Resolves when the branch has ended in any way. Never rejects. */
  readonly record: Promise<CapturedBranch>;
  /** Ends it with the events so far, and aborts the agent's signal; nothing if it has ended. */
  readonly abort: (reason: unknown) => void;
}

/**
 * Starts an agent on a branch. The branch ends exactly once: by an answer, an error, the timeout or `abort`.
 * What the agent does afterwards changes nothing.
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
    // A copy: agents append their own messages to it.
    context: structuredClone(plan.context),
    signal: controller.signal,
    recorder,
  });

  let timer: NodeJS.Timeout | undefined;
  let resolve: (record: CapturedBranch) => void = () => {};
  const record = new Promise<CapturedBranch>((resolveRecord) => {
    resolve = resolveRecord;
  });
  let ended = false;
  /** Only the first ending counts. Returns false for any other. */
  const settle = (toEnding: () => BranchEnding): boolean => {
    if (ended) return false;
    ended = true;
    clearTimeout(timer);
    end();
    resolve(toRecord(plan, { events: events(), omitted: omitted() }, toEnding()));
    return true;
  };
  const giveUp = (kind: "timeout" | "aborted", message: string, reason: unknown): void => {
    // The record first: `abort` calls the agent's listeners.
    if (settle(() => toUnanswered({ kind, message }))) controller.abort(reason);
  };

  // In a later microtask, so that the caller has the branch before the agent does anything.
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
export function toUnstarted(plan: BranchPlan, reason: unknown): CapturedBranch {
  return toRecord(
    plan,
    { events: [], omitted: 0 },
    toUnanswered({ kind: "not-started", message: describeReason(reason) }),
  );
}

/** Signals of some older libraries have no reason. */
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

/** An answer may have any number of faulty steps: only so many faults are listed. */
const MAX_FAULTS = 10;

/**
 * An aborted branch has not failed: nobody waited for its answer. `unknown` keeps it out of pairs, where it
 * would count as a worse answer than the others.
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
): CapturedBranch {
  return {
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: plan.rolloutId,
    task: plan.task,
    branch_index: plan.branchIndex,
    temperature: plan.temperature,
    ...(plan.seed !== undefined && { seed: plan.seed }),
    session_id: plan.sessionId,
    tool_call_sequence: events,
    ...(plan.context !== undefined && { context: plan.context }),
    ...fields,
    ...(error && { branch_error: error }),
    ...(omitted > 0 && { tool_events_omitted: omitted }),
  };
}

/** What an agent gets for one branch. */
export interface BranchContext {
  /** The task, as in the record. */
  readonly task: RolloutBranch["task"];
  /** From 0. */
  readonly branchIndex: RolloutBranch["branch_index"];
  /** The sampling temperature that the agent should use. */
  readonly temperature: RolloutBranch["temperature"];
  /** The seed that the agent should use; null for none. */
  readonly seed: number | null;
  /** Unique to this branch: use it to store the build result. */
  readonly sessionId: RolloutBranch["session_id"];
  /** What the model must be given before the task, as in the record. A copy: it may be changed. */
  readonly context: ModelContext | undefined;
  /** Aborts once the answer is no longer needed: at the timeout, or when the run was stopped. */
  readonly signal: AbortSignal;
  /** Records the tool calls and results of this branch until it ends. */
  readonly recorder: Recorder;
}

/** A function that works on a task once, and returns its final answer. */
export type ForkAgent = (
  context: BranchContext,
) => string | BranchAnswer | PromiseLike<string | BranchAnswer>;
