import type { CaptureLogger } from "../capture/delivery/delivery.js";
import { describeThrown } from "../capture/errors.js";
import type { RedactInTurns } from "../capture/redact/redact.js";
import { readField } from "../capture/snapshot.js";
import { asyncScope, isBeingRecorded } from "./async-scope.js";
import { readModelContext } from "./model-context.js";
import type { RolloutPluginSettings } from "./options.js";
import type { CaptureCounter, Outcome } from "./outcome.js";
import { createRecordWriter } from "./record-writer.js";
import { type RankedOutcome, rankOutcomes, statusOf, toRecords } from "./records.js";
import { type ActionCall, findActionArguments } from "./run.js";
import { createScoreOutcome, type ScoreOutcome } from "./scoring.js";

/** The name of a plain reply: the action that a model chooses when it only replies. */
const PLAIN_REPLY = "REPLY";

/** How many outcomes may wait for an asynchronous scorer; beyond that they are written without a score. */
const MAX_UNSCORED = 10_000;

interface CaptureParts {
  readonly runtime: object;
  readonly settings: RolloutPluginSettings;
  readonly redact: RedactInTurns;
  readonly logger: CaptureLogger;
  readonly counter: CaptureCounter;
  readonly createRolloutId: (agentId: string) => string;
  readonly push: (record: object) => void;
}

/** Records the calls and replies of one runtime. Nothing here throws. */
export interface Capture {
  readonly runtime: object;
  readonly settings: RolloutPluginSettings;
  readonly logger: CaptureLogger;
  /** A call of an action to record; undefined if it is not recorded. */
  readonly beginCall: (action: string, args: readonly unknown[]) => RolloutCall | undefined;
  /** Whether an action runs several times. */
  readonly mayBranch: (action: string) => boolean;
  /** Notes that an action is instrumented, for `announceBranches`. */
  readonly noteAction: (action: string) => void;
  /** Logs the actions that run several times; each one once. */
  readonly announceBranches: () => void;
  /** Whether plain replies are recorded. */
  readonly recordsReplies: boolean;
  /** A message that the agent may answer with a plain reply; undefined if it has no text. */
  readonly readReply: (message: unknown) => RolloutCall | undefined;
  readonly skip: CaptureCounter["addSkipped"];
  readonly score: ScoreOutcome;
  /** Scores and writes a single run, later, so that the agent does not wait. */
  readonly record: (call: RolloutCall, outcome: Outcome) => void;
  /** Writes the runs of one rollout, later. */
  readonly recordRanked: (call: RolloutCall, ranked: readonly RankedOutcome[]) => void;
  /** Resolves once everything recorded so far is written. */
  readonly settled: () => Promise<void>;
}

export interface RolloutCall extends ActionCall {
  readonly rolloutId: string;
}

export function createCapture(parts: CaptureParts): Capture {
  const { runtime, settings, logger, counter } = parts;
  const { format } = settings;
  const write = createRecordWriter(parts);
  const score = createScoreOutcome(settings.scorer, logger);
  let waiting = 0;

  const jobs = createJobQueue((error) =>
    // A job that throws is a bug of this package.
    logger.error(`a run was not recorded: ${describeThrown(error).message}`),
  );
  let hasToldVerdict = false;
  /** Otherwise the user would hear of it only when `rank` refuses the branch. */
  const tellMissingVerdict = (): void => {
    if (hasToldVerdict) return;
    hasToldVerdict = true;
    logger.warn(
      "an action that reports no success, or a plain reply, was recorded without a verdict and a score: " +
        "rollout-wire rank refuses such branches. Give the option scorer, or skip them with rank --skip invalid",
    );
  };
  const writeRanked = (
    rolloutId: string,
    ranked: readonly RankedOutcome[],
  ): Promise<void> | undefined => {
    for (const { outcome } of ranked) {
      counter.addCaptured(outcome.score === null);
      if (format !== "dpo" && statusOf(outcome) === undefined) tellMissingVerdict();
    }
    const options = { format, exportedAtMs: Date.now() };
    const { records, notPaired } = toRecords(rolloutId, ranked, options);
    if (notPaired !== undefined) counter.addSkipped(notPaired);
    // Records are written in order: the last one is the last to be done.
    return records.map(write).at(-1);
  };
  const writeSingle = ({ rolloutId }: RolloutCall, outcome: Outcome): Promise<void> | undefined => {
    const writeScored = (given: number | null): Promise<void> | undefined =>
      writeRanked(rolloutId, rankOutcomes([{ ...outcome, score: given }]));
    const given = waiting < MAX_UNSCORED ? score(outcome) : null;
    if (!(given instanceof Promise)) return writeScored(given);
    waiting += 1;
    return given
      .finally(() => {
        waiting -= 1;
      })
      .then(writeScored);
  };
  const mayBranch = (action: string): boolean => {
    try {
      return settings.branches > 1 && settings.isBranchable(action);
    } catch (error) {
      logger.warn(
        `branchable failed for ${action}; the action runs once: ${describeThrown(error).message}`,
      );
      return false;
    }
  };
  const unannounced = new Set<string>();
  const readCall = (
    action: string,
    message: unknown,
    { args, context }: Pick<RolloutCall, "args" | "context">,
  ): RolloutCall | undefined => {
    const task = readField(readField(message, "content"), "text");
    if (typeof task !== "string" || task === "") return undefined;
    return {
      rolloutId: parts.createRolloutId(readText(runtime, "agentId") || "agent"),
      action,
      args,
      task: task.toWellFormed(),
      sessionId: readText(message, "roomId"),
      context,
    };
  };
  return {
    runtime,
    settings,
    logger,
    skip: counter.addSkipped,
    score,
    mayBranch,
    noteAction(action) {
      if (mayBranch(action)) unannounced.add(action);
    },
    announceBranches() {
      if (unannounced.size === 0) return;
      const names = [...unannounced].join(", ");
      unannounced.clear();
      logger.warn(
        `branches is ${settings.branches}: each call of these actions runs ${settings.branches} times, ` +
          `with its side effects: ${names}. The option branchable narrows them.`,
      );
    },
    recordsReplies: settings.isIncluded(PLAIN_REPLY),
    readReply: (message) =>
      readCall(PLAIN_REPLY, message, {
        args: undefined,
        context: readModelContext(runtime, undefined),
      }),
    beginCall(action, [, message, state, options]) {
      if (!settings.isIncluded(action) || isBeingRecorded(runtime, action)) return undefined;
      const scope = asyncScope.getStore()?.message;
      const call = readCall(action, message, {
        args: findActionArguments(state, options),
        context: scope?.context ?? readModelContext(runtime, state),
      });
      if (call === undefined) counter.addSkipped("empty-task");
      if (call === undefined || scope === undefined) return call;
      scope.calls += 1;
      return { ...call, callId: `call_${scope.calls - 1}` };
    },
    record: (call, outcome) => jobs.add(() => writeSingle(call, outcome)),
    recordRanked: ({ rolloutId }, ranked) => jobs.add(() => writeRanked(rolloutId, ranked)),
    settled: jobs.settled,
  };
}

function readText(of: unknown, key: string): string {
  const value = readField(of, key);
  return typeof value === "string" ? value.toWellFormed() : "";
}

/** How long jobs may take in one turn of the event loop, in milliseconds. */
const TURN_MS = 1;
/** How many jobs may wait. Jobs beyond that are done in the next turn, however long it takes. */
const MAX_WAITING_JOBS = 1000;

/** Does jobs later and in order, without blocking the process. */
interface JobQueue {
  readonly add: (job: () => void | Promise<void>) => void;
  /** Resolves once all jobs have ended, including their promises. */
  readonly settled: () => Promise<void>;
}

/**
 * Jobs run in short turns of the event loop, so that an agent waits for one job and not for all. What a job
 * throws goes to `report`. The queue keeps the process alive until it is empty.
 */
export function createJobQueue(report: (error: unknown) => void): JobQueue {
  const waiting: (() => void | Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  const watchers: (() => void)[] = [];
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(takeTurn);
  };
  const takeTurn = (): void => {
    isScheduled = false;
    const end = performance.now() + TURN_MS;
    do start(waiting.shift());
    while (waiting.length > MAX_WAITING_JOBS || (waiting.length > 0 && performance.now() < end));
    schedule();
    notify();
  };
  const start = (job: (() => void | Promise<void>) | undefined): void => {
    try {
      const promise = job?.();
      if (!(promise instanceof Promise)) return;
      const ended = promise.catch(report).finally(() => {
        running.delete(ended);
        notify();
      });
      running.add(ended);
    } catch (error) {
      report(error);
    }
  };
  const isIdle = (): boolean => waiting.length === 0 && running.size === 0;
  const notify = (): void => {
    if (isIdle()) for (const watcher of watchers.splice(0)) watcher();
  };
  return {
    add(job) {
      waiting.push(job);
      schedule();
    },
    settled: () =>
      isIdle() ? Promise.resolve() : new Promise((resolve) => watchers.push(resolve)),
  };
}
