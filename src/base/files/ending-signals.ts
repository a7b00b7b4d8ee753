/** Signals by which a user or a scheduler ends a program, and after which it can still clean up. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Run in reverse order, so that files are removed before the folder that was created for them. */
const cleanUps = new Set<() => void>();

/**
 * Calls `cleanUp` before such a signal ends the process. The process then ends as if there had been no
 * listener. Returns a function that unregisters `cleanUp`.
 */
export function onEndingSignal(cleanUp: () => void): () => void {
  // One listener for all: Node warns about more than ten.
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
  for (const cleanUp of [...cleanUps].toReversed()) {
    release(cleanUp);
    cleanUp();
  }
  process.kill(process.pid, signal);
}

let outputs: "nothing written" | "all outputs are written" | undefined;

/** Notes that this process is to write outputs. */
export function noteOutput(): void {
  outputs ??= "nothing written";
}

/** Notes that this process has put its outputs into place. */
export function noteCommit(): void {
  outputs = "all outputs are written";
}

/** What became of the outputs of this process; undefined if it has none. */
export function describeOutputs(): string | undefined {
  return outputs;
}
