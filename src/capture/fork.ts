import type { RolloutBranch } from "#generated/index.js";
import { type ForkAgent, type RunningBranch, startBranch, toUnstarted } from "./branch.js";
import { type ForkPlan, resolveForkOptions } from "./fork-options.js";

export interface ForkOptions {
  /** Not empty. Lone surrogates become U+FFFD, in the record and for the agent alike. */
  readonly task: string;
  /** Called once per branch. */
  readonly agent: ForkAgent;
  /** From 1; as many as there are temperatures or seeds, or else 4. */
  readonly branches?: number | undefined;
  /** How many branches run at the same time, from 1; 4 unless given. */
  readonly concurrency?: number | undefined;
  /** From 0: one for all branches or one for each; 1 for all unless given. */
  readonly temperatures?: readonly number[] | undefined;
  /** Safe integers, or null for none: one for all branches or one for each. */
  readonly seeds?: readonly (number | null)[] | undefined;
  /** Ends the run when it aborts; every branch still has its record. */
  readonly signal?: AbortSignal | undefined;
  /** How long each branch may take, counted from its start; without end unless given. */
  readonly timeoutMs?: number | undefined;
  /** Not empty; `rollout-` and a UUID unless given. */
  readonly rolloutId?: string | undefined;
  /** The session of branch n is `<prefix>-b<n>`; the rollout's id unless given. */
  readonly sessionIdPrefix?: string | undefined;
}

/**
 * Runs an agent several times on one task, as independent branches, and yields the record of each as it
 * ends: `RolloutBranch`es of one rollout, valid whatever the agent does. The run begins with the first
 * record that is asked for, and then goes on by itself: who reads slowly loses no branch, and delays none.
 *
 * Every branch has exactly one record. One without an answer has an empty `final_answer`, the events so
 * far, and says why in `branch_error` (see `BranchError`): the agent threw, did not answer in time, or the
 * `signal` aborted while it ran or before its turn. The two last have `objective_status: "unknown"`, so
 * that they take no part in pairs. Only who stops reading (`break`, `return()`) gets no more records: all
 * that runs is aborted, and not waited for.
 *
 * An agent that goes on after its branch has ended changes nothing any more, but nothing can end it: it
 * has to heed its `signal`. Nor can anything be done about a loop that gives nobody else a turn, or about
 * what it throws outside of its promise, such as in a timer.
 *
 * Throws UserError when an option is wrong.
 */
export function forkRollout(options: ForkOptions): AsyncGenerator<RolloutBranch, void, undefined> {
  const run = createForkRun(resolveForkOptions(options));
  const records = readRecords(run);
  // By itself a generator would wait for the record that was asked for before it lets itself be ended.
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

async function* readRecords(run: ForkRun): AsyncGenerator<RolloutBranch, void, undefined> {
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
export interface ForkRun {
  /** Starts as many branches as may run at once; each that ends makes room for the next. */
  readonly start: () => void;
  /** All branches that have ended since, at least one, in the order in which they did; none at the end. */
  readonly takeEnded: () => Promise<readonly RolloutBranch[]>;
  /** Aborts what runs, and starts nothing more. */
  readonly stop: () => void;
}

/** A run that goes on by itself: branches that have ended wait for the reader, and delay no other. */
export function createForkRun(plan: ForkPlan): ForkRun {
  const { agent, branches, concurrency, signal, timeoutMs } = plan;
  const running = new Set<RunningBranch>();
  const ended: RolloutBranch[] = [];
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
