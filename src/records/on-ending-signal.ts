/** Signals by which a user or a scheduler ends a program, and that it may clean up after. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** All that is to be done first, in the order in which it was asked for. */
const cleanUps = new Set<() => void>();

/**
 * From now on calls `cleanUp` before such a signal ends the process, which it then does as if nobody
 * had listened. Gives the function that stops listening.
 */
export function onEndingSignal(cleanUp: () => void): () => void {
  // One listener for all: Node warns of more than ten.
  if (cleanUps.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  const own = (): void => cleanUp();
  cleanUps.add(own);
  return () => release(own);
}

function release(cleanUp: () => void): void {
  cleanUps.delete(cleanUp);
  if (cleanUps.size === 0) for (const signal of SIGNALS) process.off(signal, end);
}

function end(signal: NodeJS.Signals): void {
  for (const cleanUp of [...cleanUps]) {
    release(cleanUp);
    cleanUp();
  }
  process.kill(process.pid, signal);
}
