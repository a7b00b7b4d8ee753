/** Longest time that jobs take from one turn of the event loop, in milliseconds. */
const TURN_MS = 1;
/** How many jobs may wait; of more, as many are done in one turn as are too many. */
const MAX_WAITING = 1000;

/** Does jobs later, in order, without holding up what else the process does. */
export interface JobQueue {
  readonly add: (job: () => void | Promise<void>) => void;
  /** When all that was added has ended, the promises of jobs included. */
  readonly settled: () => Promise<void>;
}

/**
 * Between two turns of jobs the event loop serves everything else, so that an agent that is due waits for one
 * job and not for all. What a job throws goes to `report`. The queue keeps the process alive until it is empty.
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
    while (waiting.length > MAX_WAITING || (waiting.length > 0 && performance.now() < end));
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
