/** Signals by which a user or a scheduler ends a program, and that it may clean up after. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * From now on calls `cleanUp` before such a signal ends the process, which it then does as if nobody
 * had listened. Gives the function that stops listening.
 */
export function onEndingSignal(cleanUp: () => void): () => void {
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    release();
    cleanUp();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return release;
}
