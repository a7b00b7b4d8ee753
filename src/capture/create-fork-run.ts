import type { RolloutBranch } from "#generated/index.js";
import type { ForkPlan } from "./resolve-fork-options.js";
import { type RunningBranch, startBranch, toUnstarted } from "./start-branch.js";

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
