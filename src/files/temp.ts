import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../user-error.js";

export interface TempFolder {
  readonly path: string;
  /** Removes the folder with all that is in it; to be called in any case. */
  remove(): void;
}

/**
 * An empty folder where the system keeps temporary files (`TMPDIR`), which is gone too when a signal
 * ends the process. Throws UserError (exit 3) when it cannot be made.
 */
export function createTempFolder(): TempFolder {
  let path: string;
  try {
    path = mkdtempSync(join(tmpdir(), "rollout-wire-"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`no temporary folder: ${reason}; TMPDIR names another place`);
  }
  const removeFolder = () => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // It is only a temporary file that stays; what ended the run is what the user has to hear.
    }
  };
  const release = onEndingSignal(removeFolder);
  return {
    path,
    remove() {
      release();
      removeFolder();
    },
  };
}

/** Signals by which a user or a scheduler ends a program, and that it may clean up after. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What to do first: the latest first, so that files are removed before the folder made for them. */
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
  for (const cleanUp of [...cleanUps].toReversed()) {
    release(cleanUp);
    cleanUp();
  }
  process.kill(process.pid, signal);
}
