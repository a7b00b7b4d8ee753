import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../user-error.js";

export interface TempFolder {
  readonly path: string;
  /** Removes the folder and its contents. Always call it at the end. */
  remove(): void;
}

/**
 * Creates an empty folder in the system's temporary directory (`TMPDIR`). It is also removed if a signal ends
 * the process. Throws UserError (exit 3) if it cannot be created.
 */
export function createTempFolder(): TempFolder {
  let path: string;
  try {
    path = mkdtempSync(join(tmpdir(), "rollout-wire-"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `cannot create a temporary folder: ${reason}; set TMPDIR to another folder`,
    );
  }
  const removeFolder = () => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Only a temporary file remains. The user needs to see the error that ended the run.
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
