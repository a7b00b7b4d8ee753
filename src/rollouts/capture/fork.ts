import { type CapturedBranch, type RunningBranch, startBranch, toUnstarted } from "./branch.js";
import { type ForkOptions, type ForkPlan, resolveForkOptions } from "./fork-options.js";

/**
 * Runs an agent several times on one task, as independent branches, and yields the record of each branch
 * when it ends: `RolloutBranch`es of one rollout, valid whatever the agent does. The run starts when you
 * request the first record; after that, a slow reader loses no branch and delays none.
 *
 * Every branch has exactly one record. Without an answer, it has an empty `final_answer`, the events so far,
 * and the reason in `branch_error` (see `BranchError`): the agent threw, did not answer in time, or the
 * `signal` aborted while it ran or before its turn. After an abort, `objective_status` is "unknown", so that
 * the branch is in no pair. If you leave the loop early (`break`, `return()`), running branches are aborted
 * and not awaited, and no further records follow.
 *
 * An agent that continues after its branch has ended changes nothing, but nothing can stop it: it must
 * respect its `signal`. The same holds for a loop that blocks the event loop, and for an error thrown outside
 * its promise, such as in a timer.
 *
 * Throws UserError for a wrong option.
 */
export function forkRollout(options: ForkOptions): AsyncGenerator<CapturedBranch, void, undefined> {
  const run = createForkRun(resolveForkOptions(options));
  const records = readRecords(run);
  // A plain generator cannot be ended while a requested record is pending.
  const { return: end, throw: fail } = records;
  return Object.assign(records, {
    return: (value?: void | PromiseLike<void>) => {
      run.stop();
      return end.call(records, value);
    },
    throw: (error: unknown) => {
      run.stop();
      return fail.call(records, error);
    },
  });
}

async function* readRecords(run: ForkRun): AsyncGenerator<CapturedBranch, void, undefined> {
  run.start();
  try {
    let records = await run.takeEnded();
    while (records.length > 0) {
      yield* records;
      records = await run.takeEnded();
    }
  } finally {
    run.stop();
  }
}

/** A run of several branches. */
interface ForkRun {
  /** Starts as many branches as may run at once. When one ends, the next one starts. */
  readonly start: () => void;
  /** Waits for the records of ended branches that were not taken yet, in order; empty at the end of the run. */
  readonly takeEnded: () => Promise<readonly CapturedBranch[]>;
  /** Aborts running branches, and starts no more. */
  readonly stop: () => void;
}

/** A run that does not wait for its reader: records of ended branches are queued. */
function createForkRun(plan: ForkPlan): ForkRun {
  const { agent, branches, concurrency, signal, timeoutMs } = plan;
  const running = new Set<RunningBranch>();
  const ended: CapturedBranch[] = [];
  let nextIndex = 0;
  let stopped = false;
  let wake = (): void => {};

  const isOver = (): boolean => stopped || (nextIndex === branches && running.size === 0);
  const abortRunning = (reason: unknown): void => {
    for (const branch of running) branch.abort(reason);
  };
  const onAbort = (): void => abortRunning(signal?.reason);

  const startNext = (): void => {
    const branch = plan.toBranch(nextIndex);
    nextIndex += 1;
    if (signal?.aborted) {
      ended.push(toUnstarted(branch, signal.reason));
      return;
    }
    const started = startBranch(branch, agent, timeoutMs);
    running.add(started);
    started.record.then((record) => {
      running.delete(started);
      ended.push(record);
      advance();
    });
  };
  const advance = (): void => {
    while (!stopped && nextIndex < branches && running.size < concurrency) startNext();
    if (isOver()) signal?.removeEventListener("abort", onAbort);
    wake();
  };

  return {
    start: () => {
      if (stopped) return;
      signal?.addEventListener("abort", onAbort, { once: true });
      advance();
    },
    takeEnded: async () => {
      while (ended.length === 0 && !isOver()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return stopped ? [] : ended.splice(0);
    },
    stop: () => {
      stopped = true;
      signal?.removeEventListener("abort", onAbort);
      abortRunning(new DOMException("nobody reads the rollout any more", "AbortError"));
      wake();
    },
  };
}
